"""Go on with the pre-training of a masked language model in which compounds are tokens (the idiom principle).

    python -P scripts/pretrain.py --model ./bert --release ncimp --out bert-idioms --texts news/*.txt
    python -P scripts/pretrain.py --model ./bert --release ncimp --out bert-select --texts told.jsonl --select
    ncimp evaluate --suite astitch --model bert-idioms --idiom-tokens all

A text file has a sentence or a paragraph a line, a `.jsonl` an object a line, with `text` and, where somebody has said,
`label`: 0 where its compounds are meant idiomatically, else 1. Sentences with a compound of the release, in any of its
forms, are learnt from; their compounds give way to tokens: all, or with `--select` those of label 0 only.

It needs `pip install "ncimp[training]"`, and takes a GPU where there is one. A run that was killed goes on from its
last checkpoint when it is started again alike; on a CPU the weights are then those of a run in one piece.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import transformers
from transformers.trainer_utils import get_last_checkpoint

from ncimp.builder.build.resources import compound_forms
from ncimp.builder.commands.options import positive_int
from ncimp.corpus_stats.readers.text import cut_sentences
from ncimp.evaluator.models import model_folder
from ncimp.evaluator.models.idioms import IdiomTokens
from ncimp.evaluator.models.transformer import LOADING_FAULTS, damaged, load_tokenizer, quiet
from ncimp.evaluator.runtime import require
from ncimp.schemas import (
    EvaluationError,
    NcimpError,
    Place,
    SourceError,
    UsageError,
    keyed_hash,
    read_json,
    value_hash,
    write_json,
)
from ncimp.schemas.release_folder import ReleaseFolder

CHECKPOINTS = ".checkpoints"  # folder of a run that is not over, below that of the model
FACTS = "run.json"  # there: what the checkpoints are of
IDIOMATIC = 0  # label of a text


def main() -> None:
    """Train, and save the model."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", required=True, metavar="PATH|NAME", help="a model as `ncimp evaluate` takes it")
    parser.add_argument("--release", type=Path, required=True, metavar="DIR", help="a release or suite with senses")
    parser.add_argument("--texts", type=Path, nargs="+", required=True, metavar="FILE", help="text files, or .jsonl")
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="the folder of the model")
    parser.add_argument("--select", action="store_true", help="tokens only in texts with the label 0")
    parser.add_argument("--epochs", type=positive_int, default=5, help="times over the sentences (default: 5)")
    parser.add_argument("--learning-rate", type=float, default=2e-5, metavar="RATE", help="(default: 2e-5)")
    parser.add_argument("--batch-size", type=positive_int, default=4, metavar="N", help="sentences a step (default: 4)")
    parser.add_argument("--weight-decay", type=float, default=0.01, metavar="X", help="(default: 0.01)")
    parser.add_argument("--masked", type=float, default=0.15, metavar="SHARE", help="of the sub-tokens (default: 0.15)")
    parser.add_argument("--max-length", type=positive_int, default=128, metavar="N", help="sub-tokens (default: 128)")
    parser.add_argument(
        "--save-steps", type=positive_int, default=500, metavar="N", help="to a checkpoint (default: 500)"
    )
    parser.add_argument("--seed", type=int, default=0, help="(default: 0)")
    parser.add_argument("--cpu", action="store_true", help="leave a GPU alone")
    args = parser.parse_args()
    try:
        require("accelerate", extra="training")
        first, last, count = pretrain(args)
    except NcimpError as error:
        sys.exit(str(error))
    sys.stdout.write(f"{count:,} sentences with compounds; loss {first:.3f} to {last:.3f}; wrote {args.out}\n")


def pretrain(args: argparse.Namespace) -> tuple[float, float, int]:
    """Return the first and the last loss that were logged, and the number of sentences, after writing the model."""
    if (args.out / "config.json").is_file():
        raise UsageError(f"{args.out} has a model", fix="give another folder for --out")
    idioms = IdiomTokens(compound_forms(ReleaseFolder(args.release)))
    sentences = list(dict.fromkeys(read_sentences(args.texts, idioms, select=args.select)))
    if not sentences:
        raise EvaluationError("no text has a compound of the release", fix="give other texts")
    checkpoints, source = args.out / CHECKPOINTS, model_folder(args.model)
    facts = {key: str(value) for key, value in vars(args).items() if key not in ("out", "texts", "save_steps")}
    facts |= {"sentences": value_hash(sentences), "tokens": idioms.facts}
    if (checkpoints / FACTS).is_file() and read_json(checkpoints / FACTS) != facts:
        fix = f"give the same options and texts, or remove {checkpoints}"
        raise UsageError(f"{args.out} has checkpoints of another run", fix=fix)
    write_json(checkpoints / FACTS, facts)
    transformers.set_seed(args.seed)
    model, tokenizer = load(source)
    idioms.teach(model, tokenizer)
    rows = [tokenizer(text, truncation=True, max_length=args.max_length) for text in sentences]
    trainer = transformers.Trainer(
        model,
        transformers.TrainingArguments(
            output_dir=str(checkpoints),
            num_train_epochs=args.epochs,
            learning_rate=args.learning_rate,
            per_device_train_batch_size=args.batch_size,
            weight_decay=args.weight_decay,
            save_steps=args.save_steps,
            save_total_limit=2,
            logging_steps=max(1, args.save_steps // 10),
            logging_first_step=True,
            report_to="none",
            disable_tqdm=True,
            seed=args.seed,
            use_cpu=args.cpu,
            dataloader_pin_memory=not args.cpu,
        ),
        HashedMasks(tokenizer, mlm_probability=args.masked),
        [dict(row) for row in rows],
        callbacks=[LossLine()],
    )
    trainer.remove_callback(transformers.PrinterCallback)
    trainer.train(resume_from_checkpoint=get_last_checkpoint(str(checkpoints)))
    trainer.save_model(str(args.out))
    tokenizer.save_pretrained(args.out)
    shutil.rmtree(checkpoints)
    losses = [float(row["loss"]) for row in trainer.state.log_history if "loss" in row]
    return losses[0], losses[-1], len(sentences)


class HashedMasks(transformers.DataCollatorForLanguageModeling):  # type: ignore[misc]  # not typed
    """Masks that are drawn by the sentences of a batch, so that they do not depend on which batches came before.

    Batches are hardly ever the same in two epochs, and neither are masks then.
    """

    def torch_call(self, examples: list[dict[str, Any]]) -> Any:
        """Return the batch with its masks."""
        key = keyed_hash("masks", *(repr(row["input_ids"]) for row in examples))
        self.generator = self.get_generator(int(key[:15], 16))
        return super().torch_call(examples)


class LossLine(transformers.TrainerCallback):  # type: ignore[misc]  # not typed
    """A line on standard error for each loss that is logged."""

    def on_log(self, _arguments: Any, state: Any, _control: Any, *, logs: dict[str, float], **_: Any) -> None:
        """Write the steps that are done, of all, and the loss."""
        if "loss" in logs:
            sys.stderr.write(f"step {state.global_step:,} of {state.max_steps:,}: loss {float(logs['loss']):.3f}\n")


def read_sentences(paths: list[Path], idioms: IdiomTokens, *, select: bool) -> Iterator[str]:
    """Yield the sentences in *paths* that have compounds, with tokens in their place."""
    for path in paths:
        for text, label in read_texts(path):
            for sentence in cut_sentences(text) if label is None else (text,):
                new = idioms(sentence)
                if new.places:
                    yield sentence if select and label != IDIOMATIC else new.text


def read_texts(path: Path) -> Iterator[tuple[str, int | None]]:
    """Yield each line of *path*, with its label where it has one."""
    try:
        with path.open(encoding="utf-8") as lines:
            for number, line in enumerate(lines, start=1):
                if path.suffix != ".jsonl":
                    yield line.strip(), None
                    continue
                try:
                    row = json.loads(line)
                    text, label = row["text"], row.get("label")
                except (ValueError, TypeError, KeyError):
                    text, label = None, None
                if not isinstance(text, str) or label not in (None, 0, 1):
                    fix = 'write {"text": "...", "label": 0}, or leave the label out'
                    raise SourceError("not a text", fix=fix, place=Place(str(path), number))
                yield text, label
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "not UTF-8"
        raise SourceError(f"cannot be read ({reason})", fix="check --texts", place=Place(str(path))) from None


def load(folder: Path) -> tuple[Any, Any]:
    """Return the masked language model in *folder*, and its tokeniser."""
    with quiet():
        try:
            tokenizer = load_tokenizer(folder)
            model = transformers.AutoModelForMaskedLM.from_pretrained(folder, local_files_only=True)
        except LOADING_FAULTS as error:
            raise damaged(folder, error) from None
    if tokenizer.mask_token is None:
        fix = "give a masked language model, such as BERT"
        raise EvaluationError("its tokeniser has no token for masking", fix=fix, place=Place(str(folder)))
    return model, tokenizer


if __name__ == "__main__":
    main()
