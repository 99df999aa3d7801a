"""Ask people how literal compounds are, and turn their answers into scores.

Nothing is sent to a service here; `ncimp launch` does that.

Examples:
    ncimp annotate preview --lang en
    ncimp annotate export --to turkle --lang en --release ncimp --out batch-en --write
    ncimp launch start batch-en --to turkle --endpoint https://turkle.example.org --send
    ncimp launch collect batch-en
    ncimp annotate import results.csv --batch batch-en --salt ~/ncimp.salt --out campaign-en
    ncimp annotate report campaign-en --out report.html
    ncimp annotate scores campaign-en --out scores-en
    ncimp annotate simulate --batch batch-en --out rehearsal
"""
