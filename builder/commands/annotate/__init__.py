"""Ask people how literal compounds are, and turn their answers into scores.

Each action has help with examples of its own: `ncimp annotate export --help`. Nothing is sent to a service,
and nothing is paid, unless an action that does so is told to.

Examples:
    ncimp annotate preview --lang en
    ncimp annotate preview --lang pt --mode type --no-open
    ncimp annotate export --to turkle --lang en --release ncimp --out batch-en --write
    ncimp annotate launch batch-en --to turkle --endpoint https://turkle.example.org --send
    ncimp annotate collect batch-en
    ncimp annotate import results.csv --batch batch-en --salt ~/ncimp.salt --out campaign-en
    ncimp annotate report campaign-en --out report.html
    ncimp annotate scores campaign-en --out scores-en
    ncimp annotate simulate --batch batch-en --to rehearsal
"""
