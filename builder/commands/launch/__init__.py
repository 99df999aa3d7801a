"""Run a campaign on a service, so that nothing is ever launched or paid twice.

Without --send nothing is sent. After a failure or a crash, run the same command again: it looks up what was done and
makes what is missing. Records stand beside the batch, in BATCH.launch.

Examples:
    ncimp launch start pilot --to turkle --endpoint https://turkle.example.org --send
    ncimp launch status pilot
    ncimp launch collect pilot
    ncimp launch approve pilot --send
    ncimp launch stop pilot --send
"""
