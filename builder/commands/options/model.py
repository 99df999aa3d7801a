"""Options that pick the vectors of an evaluation: a file, a model, or an endpoint."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from ncimp.evaluator.models.opening import BATCH_TOKENS, DTYPES, POOLINGS, ModelOptions
from ncimp.evaluator.release import Release
from ncimp.evaluator.vectors import Opened, open_file
from ncimp.schemas.errors import UsageError


def add_model_options(parser: argparse.ArgumentParser) -> None:
    """Add to *parser* what the vectors come from and how a model is run."""
    one = parser.add_mutually_exclusive_group(required=True)
    one.add_argument("--vectors", type=Path, metavar="FILE", help="word vectors, or precomputed vectors by item")
    one.add_argument("--model", metavar="PATH|NAME", help="folder of a model, or its name on the hub or the endpoint")
    group = parser.add_argument_group("running a model")
    layers = "lastN, all, or numbers such as 0,1,6, averaged (default: last4)"
    group.add_argument("--layers", metavar="WHICH", help=layers)
    group.add_argument("--pooling", choices=POOLINGS, help="which sub-tokens make a sentence vector (default: mean)")
    group.add_argument("--no-special-tokens", action="store_true", help="leave special tokens out of the sentence")
    group.add_argument("--dtype", choices=DTYPES, help="number format of weights and layers (default: fp32)")
    group.add_argument("--device", metavar="NAME", help="auto, cpu, cuda, cuda:1 ... (default: auto)")
    sizes = f"sub-tokens in a batch, padding included (default: {BATCH_TOKENS:,})"
    group.add_argument("--batch-tokens", type=int, metavar="N", help=sizes)
    group.add_argument("--cache", type=Path, metavar="DIR", help="keep vectors here; a run that broke off goes on")
    group.add_argument("--download", action="store_true", help="let a model that is not there be fetched by its name")
    asked = parser.add_argument_group("asking an endpoint")
    asked.add_argument("--endpoint", metavar="URL", help="OpenAI-compatible server, such as https://host/v1")
    key = "environment variable that holds the key (default: OPENAI_API_KEY)"
    asked.add_argument("--key-env", metavar="VAR", help=key)
    asked.add_argument("--batch-sentences", type=int, metavar="N", help="sentences in a request (default: 128)")
    asked.add_argument("--max-requests", type=int, metavar="N", help="stop after so many requests")
    asked.add_argument("--max-tokens", type=int, metavar="N", help="stop once so many tokens were counted")


RUNNING = ("layers", "pooling", "dtype", "device", "batch_tokens")
ASKING = ("key_env", "max_requests", "max_tokens")


def opened_source(args: argparse.Namespace, release: Release) -> Opened:
    """Return the vectors that *args* ask for, or raise `UsageError` for options that do not go together."""
    running = [name for name in (*RUNNING, "no_special_tokens", "download") if getattr(args, name)]
    asking = [name for name in ("endpoint", *ASKING, "batch_sentences") if getattr(args, name) is not None]
    if args.model is None:
        _refuse([*running, *asking, *(["cache"] if args.cache else [])], "--vectors")
        return open_file(args.vectors, release.items)
    if args.endpoint is None:
        _refuse(asking, "--model without --endpoint")
        return _opened_model(args)
    _refuse(running, "--endpoint")
    return _opened_endpoint(args)


def _refuse(options: list[str], beside: str) -> None:
    if options:
        flags = ", ".join(f"--{name.replace('_', '-')}" for name in options)
        raise UsageError(f"{flags} means nothing with {beside}", fix="leave it out")


def _opened_model(args: argparse.Namespace) -> Opened:
    from ncimp.evaluator.models.opening import Keeping, open_model

    chosen = {name: getattr(args, name) for name in RUNNING if getattr(args, name) is not None}
    options = ModelOptions(special_tokens=not args.no_special_tokens, **chosen)
    keeping = Keeping(args.cache, tell=_tell, progress=_progress)
    return open_model(args.model, options, keeping=keeping, download=args.download)


def _opened_endpoint(args: argparse.Namespace) -> Opened:
    from ncimp.evaluator.models.endpoint import EndpointOptions
    from ncimp.evaluator.models.opening import Keeping, open_endpoint

    chosen = {name: getattr(args, name) for name in ASKING if getattr(args, name) is not None}
    if args.batch_sentences is not None:
        chosen["batch"] = args.batch_sentences
    options = EndpointOptions(args.endpoint, **chosen)
    return open_endpoint(args.model, options, keeping=Keeping(args.cache, tell=_tell, progress=_progress))


def _tell(text: str) -> None:
    sys.stderr.write(f"{text}\n")


def _progress(done: int, total: int) -> None:
    if sys.stderr.isatty():
        sys.stderr.write(f"\rencoded {done:,} of {total:,} sentences" + ("\n" if done == total else ""))
