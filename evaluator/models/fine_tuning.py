"""Fine-tune a model to tell two labels of texts, through the `Trainer` of `transformers` (extra `training`).

As in *AStitchInLanguageModels* (Findings of EMNLP 2021): a head for classes on the whole model, linear decay of the
learning rate, further examples learnt by the model that the first ones have made, and several seeds. A seed keeps its
own model. Which epoch is best is told by texts that no model learns from: those that are judged play no part.

On a CPU one thread trains, so that the same answers come out of every run on any number of cores, and no thread waits
for another where the machine is busy; on a GPU answers may differ from run to run.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
import transformers
from sklearn.metrics import f1_score

from ncimp.evaluator.models import FineTuning, LabelledTexts, ModelOptions
from ncimp.evaluator.models.transformer import LOADING_FAULTS, chosen_device, damaged, quiet
from ncimp.schemas import EvaluationError, Place, UsageError


class Tuner:
    """A model in a folder that is fine-tuned anew for each question."""

    def __init__(self, folder: Path, options: ModelOptions, training: FineTuning) -> None:
        """Take the model in *folder*, which need not be loaded yet; raises `UsageError` for a device of a number."""
        self.training = training
        self._folder, self._options = folder, options
        device = chosen_device(options.device)
        if device.index is not None:
            raise UsageError(f"fine-tuning takes the first GPU, not {options.device}", fix="give auto, cpu or cuda")
        self._on_cpu = device.type == "cpu"

    def __call__(
        self,
        stages: Mapping[str, Sequence[LabelledTexts]],
        watched: Sequence[LabelledTexts],
        judged: Sequence[tuple[str, ...]],
        progress: Callable[[int, int], None],
    ) -> dict[str, list[list[int]]]:
        """Return the labels of *judged* in each of *stages*, a row a seed.

        Each stage but the first goes on from the model of the first. The epoch with the best macro-F1 on *watched* is
        kept, the first of equal ones. *progress* is told how many epochs are over, of all.
        """
        answers: dict[str, list[list[int]]] = {name: [] for name in stages}
        epochs = _EpochCount(self.training.epochs * self.training.seeds * len(stages), progress)
        threads = torch.get_num_threads()
        torch.set_num_threads(1)
        try:
            for seed in range(self.training.seeds):
                for name, labels in self._of_seed(seed, stages, watched, judged, epochs):
                    answers[name].append(labels)
        finally:
            torch.set_num_threads(threads)
        return answers

    def _of_seed(
        self, seed: int, stages: Any, watched: Any, judged: Any, epochs: Any
    ) -> Iterator[tuple[str, list[int]]]:
        """Yield each of *stages* and the labels of *judged* by the model trained in it."""
        transformers.set_seed(seed)
        model, tokenizer = self._load()
        questions = self._features(tokenizer, [LabelledTexts(texts, None) for texts in judged])
        watching = self._features(tokenizer, watched)
        start: dict[str, Any] = {}
        for name, examples in stages.items():
            model.load_state_dict(start or model.state_dict())
            best = _BestEpoch()
            trainer = transformers.Trainer(
                model,
                self._arguments(seed),
                transformers.DataCollatorWithPadding(tokenizer),
                self._features(tokenizer, examples),
                watching,
                compute_metrics=macro_f1,
                callbacks=[best, epochs],
            )
            trainer.remove_callback(transformers.PrinterCallback)
            trainer.train()
            model.load_state_dict(best.state)
            start = start or best.state
            yield name, trainer.predict(questions).predictions.argmax(axis=1).tolist()

    def _arguments(self, seed: int) -> Any:
        training = self.training
        return transformers.TrainingArguments(
            output_dir=str(self._folder),  # nothing is written
            num_train_epochs=training.epochs,
            learning_rate=training.learning_rate,
            per_device_train_batch_size=training.batch_size,
            per_device_eval_batch_size=training.batch_size,
            eval_strategy="epoch",
            save_strategy="no",
            logging_strategy="no",
            report_to="none",
            disable_tqdm=True,
            use_cpu=self._on_cpu,
            dataloader_pin_memory=not self._on_cpu,
            seed=seed,
        )

    def _load(self) -> tuple[Any, Any]:
        folder = self._folder
        with quiet():
            try:
                tokenizer = transformers.AutoTokenizer.from_pretrained(folder, local_files_only=True)
                model = transformers.AutoModelForSequenceClassification.from_pretrained(
                    folder, num_labels=2, local_files_only=True, ignore_mismatched_sizes=True
                )
            except LOADING_FAULTS as error:
                raise damaged(folder, error) from None
        if tokenizer.pad_token is None:
            fix = "name one (pad_token) and save the tokeniser again"
            raise EvaluationError("its tokeniser has no token for padding", fix=fix, place=Place(str(folder)))
        model.config.pad_token_id = tokenizer.pad_token_id
        self._options.teach(model, tokenizer)
        return model, tokenizer

    def _features(self, tokenizer: Any, examples: Sequence[LabelledTexts]) -> list[dict[str, Any]]:
        features, idioms = [], self._options.idioms
        for example in examples:
            texts = [idioms(text).text if idioms else text for text in example.texts]
            row = dict(tokenizer(*texts, truncation=True, max_length=self.training.max_length))
            features.append(row if example.label is None else row | {"labels": example.label})
        return features


class _BestEpoch(transformers.TrainerCallback):  # type: ignore[misc]  # not typed
    """The weights after the epoch with the best macro-F1."""

    def __init__(self) -> None:
        self._value = -1.0
        self.state: dict[str, Any] = {}

    def on_evaluate(self, *_: Any, model: Any, metrics: Mapping[str, float], **__: Any) -> None:
        """Keep the weights of *model* where its *metrics* are better than those before."""
        if metrics["eval_macro_f1"] > self._value:
            self._value = metrics["eval_macro_f1"]
            self.state = {name: weights.detach().clone() for name, weights in model.state_dict().items()}


class _EpochCount(transformers.TrainerCallback):  # type: ignore[misc]  # not typed
    """The number of epochs that are over."""

    def __init__(self, total: int, progress: Callable[[int, int], None]) -> None:
        self._count, self._total, self._progress = 0, total, progress

    def on_epoch_end(self, *_: Any, **__: Any) -> None:
        """Count one more."""
        self._count += 1
        self._progress(self._count, self._total)


def macro_f1(predicted: Any) -> dict[str, float]:
    """Return the macro-F1 of predictions as `Trainer` gives them."""
    return {"macro_f1": float(f1_score(predicted.label_ids, np.argmax(predicted.predictions, axis=1), average="macro"))}
