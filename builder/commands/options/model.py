"""Options of the commands that evaluate: the vectors (a file, a model or an endpoint), and the resamples."""

import argparse
import sys
from pathlib import Path

from ncimp.builder.commands.options import positive_int
from ncimp.evaluator.correlation import RESAMPLES
from ncimp.evaluator.models import BATCH_TOKENS, DTYPES, POOLINGS, Cache, ModelOptions, open_endpoint, open_model
from ncimp.evaluator.models.endpoint import EndpointOptions
from ncimp.evaluator.release import Release
from ncimp.evaluator.vectors import OpenedVectors, open_file
from ncimp.schemas.errors import UsageError

RUNNING = ("layers", "pooling", "dtype", "device", "batch_tokens")
ASKING = ("key_env", "max_requests", "max_tokens")


def add_resamples(parser: argparse.ArgumentParser) -> None:
    """Add `--resamples`, of the bootstrap."""
    text = f"bootstrap resamples (default: {RESAMPLES:,})"
    parser.add_argument("--resamples", type=positive_int, default=RESAMPLES, metavar="N", help=text)


def add_model_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that name the vectors and say how a model is run."""
    source = parser.add_mutually_exclusive_group(required=True)
    source.add_argument("--vectors", type=Path, metavar="FILE", help="word vectors, or precomputed vectors by item")
    source.add_argument(
        "--model", metavar="PATH|NAME", help="folder of a model, or its name on the hub or the endpoint"
    )
    group = parser.add_argument_group("running a model")
    layers = "lastN, all, or numbers such as 0,1,6, averaged (default: last4)"
    group.add_argument("--layers", metavar="WHICH", help=layers)
    group.add_argument("--pooling", choices=POOLINGS, help="sub-tokens that make a sentence vector (default: mean)")
    group.add_argument("--no-special-tokens", action="store_true", help="leave special tokens out of the sentence")
    group.add_argument("--dtype", choices=DTYPES, help="number format of weights and layers (default: fp32)")
    group.add_argument("--device", metavar="NAME", help="auto, cpu, cuda, cuda:1 ... (default: auto)")
    sizes = f"sub-tokens in a batch, padding included (default: {BATCH_TOKENS:,})"
    group.add_argument("--batch-tokens", type=positive_int, metavar="N", help=sizes)
    group.add_argument("--cache", type=Path, metavar="DIR", help="keep vectors here, so that a killed run resumes")
    group.add_argument("--download", action="store_true", help="fetch a model that is not in the cache by its name")
    endpoint = parser.add_argument_group("asking an endpoint")
    endpoint.add_argument("--endpoint", metavar="URL", help="OpenAI-compatible server, such as https://host/v1")
    key = "environment variable with the key (default: OPENAI_API_KEY)"
    endpoint.add_argument("--key-env", metavar="VAR", help=key)
    size = "sentences in a request (default: 128)"
    endpoint.add_argument("--batch-sentences", type=positive_int, metavar="N", help=size)
    endpoint.add_argument("--max-requests", type=positive_int, metavar="N", help="stop after this many requests")
    endpoint.add_argument("--max-tokens", type=positive_int, metavar="N", help="stop after this many counted tokens")


def open_vectors(args: argparse.Namespace, release: Release) -> OpenedVectors:
    """Return the vectors that *args* ask for, or raise `UsageError` for options that do not go together."""
    running = [name for name in (*RUNNING, "no_special_tokens", "download") if getattr(args, name)]
    asking = [name for name in ("endpoint", *ASKING, "batch_sentences") if getattr(args, name) is not None]
    if args.model is None:
        _refuse([*running, *asking, *(["cache"] if args.cache else [])], "--vectors")
        return open_file(args.vectors, release.items)
    cache = Cache(args.cache, warn=_warn, progress=_show_progress)
    if args.endpoint is None:
        _refuse(asking, "--model without --endpoint")
        values = {name: getattr(args, name) for name in RUNNING if getattr(args, name) is not None}
        options = ModelOptions(special_tokens=not args.no_special_tokens, **values)
        return open_model(args.model, options, cache=cache, download=args.download)
    _refuse(running, "--endpoint")
    values = {name: getattr(args, name) for name in ASKING if getattr(args, name) is not None}
    if args.batch_sentences is not None:
        values["batch"] = args.batch_sentences
    return open_endpoint(args.model, EndpointOptions(args.endpoint, **values), cache=cache)


def _refuse(options: list[str], beside: str) -> None:
    if options:
        flags = ", ".join(f"--{name.replace('_', '-')}" for name in options)
        raise UsageError(f"{flags} means nothing with {beside}", fix="leave it out")


def _warn(text: str) -> None:
    sys.stderr.write(f"{text}\n")


def _show_progress(count: int, total: int) -> None:
    if sys.stderr.isatty():
        sys.stderr.write(f"\rencoded {count:,} of {total:,} sentences" + ("\n" if count == total else ""))
