"""Tokenisers trained on a few sentences and random models of a few thousand weights, as folders."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
import transformers
from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers

SENTENCES = (
    "The eager beaver built a dam beside the river.",
    "An eager beaver, the eager beaver and another eager beaver.",
    "Não é o olho gordo que me dá medo, é a pá-de-cal.",
    "Ação, coração e emoção: três são demais…",
    "“Smart” quotes — and dashes; 12,5 % of café crème.",
    "Another sentence to learn words from, with rat races and cold feet.",
)
WIDTH = 32


def byte_level(*, trim: bool) -> Tokenizer:
    """Byte-level BPE as in GPT-2 (a leading space is part of a token's offsets) or, trimmed, as in RoBERTa."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    start = pre_tokenizers.ByteLevel.alphabet()
    special = ["<s>", "<pad>", "</s>", "<unk>"]
    tokenizer.train_from_iterator(
        SENTENCES,
        trainers.BpeTrainer(vocab_size=400, initial_alphabet=start, special_tokens=special, show_progress=False),
    )
    tokenizer.post_processor = processors.ByteLevel(trim_offsets=trim)
    if trim:
        tokenizer.post_processor = processors.RobertaProcessing(("</s>", 2), ("<s>", 0), trim_offsets=True)
    return tokenizer


def sentencepiece() -> Tokenizer:
    """Unigram over words that begin with ▁, as sentencepiece makes, with <s> and </s> around a sentence."""
    tokenizer = Tokenizer(models.Unigram())
    tokenizer.normalizer = normalizers.NFKC()
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    special = ["<s>", "<pad>", "</s>", "<unk>"]
    trainer = trainers.UnigramTrainer(vocab_size=150, special_tokens=special, unk_token=special[3], show_progress=False)
    tokenizer.train_from_iterator(SENTENCES, trainer)
    tokenizer.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>", special_tokens=[("<s>", 0), ("</s>", 2)]
    )
    return tokenizer


def word_piece(*, strip: bool, sentences: Sequence[str] = SENTENCES) -> Tokenizer:
    """Word pieces as in BERT, lower-cased and without accents, or as they are."""
    normalizer = normalizers.BertNormalizer(lowercase=strip, strip_accents=strip)
    cut = pre_tokenizers.BertPreTokenizer()
    words = {word for text in sentences for word, _ in cut.pre_tokenize_str(normalizer.normalize_str(text))}
    letters = sorted(set("".join(words)))
    short = sorted(word for word in words if 1 < len(word) <= SHORT)  # longer ones are cut
    # a trained vocabulary is another one in each process
    pieces = ["[PAD]", "[CLS]", "[SEP]", "[UNK]", *letters, *(f"##{letter}" for letter in letters), *short]
    vocabulary = {piece: number for number, piece in enumerate(pieces)}
    tokenizer = Tokenizer(models.WordPiece(vocabulary, unk_token="[UNK]"))  # noqa: S106 - no password
    tokenizer.normalizer, tokenizer.pre_tokenizer = normalizer, cut
    tokenizer.add_special_tokens(pieces[:4])
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 1), ("[SEP]", 2)]
    )
    return tokenizer


SHORT = 7  # letters
KINDS = ("bert", "bert-cased", "roberta", "gpt2", "llama", "t5", "albert")


def make(
    folder: Path, kind: str, *, layers: int = 6, positions: int = 128, sentences: Sequence[str] = SENTENCES
) -> Path:
    """Write a random model of *kind* with its tokeniser, for BERT of *sentences*, to *folder*, the same every time."""
    tokenizer = _tokenizer(kind, sentences)
    names = {"[PAD]": "pad_token", "[UNK]": "unk_token", "[CLS]": "cls_token", "[SEP]": "sep_token"}
    names |= {"<pad>": "pad_token", "<unk>": "unk_token", "<s>": "bos_token", "</s>": "eos_token"}
    tokens = {name: token for token, name in names.items() if tokenizer.token_to_id(token) is not None}
    if kind in ("gpt2", "llama"):  # as they are: no token for padding
        tokens.pop("pad_token")
    fast = transformers.PreTrainedTokenizerFast(tokenizer_object=tokenizer, **tokens)
    fast.save_pretrained(folder)
    torch.manual_seed(1)
    model = _model(kind, len(tokenizer.get_vocab()), layers, positions)
    with torch.no_grad():  # spread the states: the usual start leaves them nearly alike
        for weight in model.parameters():
            if weight.dim() > 1:
                weight.normal_(0.0, 0.3)
    model.save_pretrained(folder)
    return folder


def _tokenizer(kind: str, sentences: Sequence[str]) -> Tokenizer:
    if kind in ("gpt2", "roberta"):
        return byte_level(trim=kind == "roberta")
    if kind in ("t5", "llama"):
        return sentencepiece()
    return word_piece(strip=kind != "bert-cased", sentences=sentences)


def _model(kind: str, words: int, layers: int, positions: int) -> Any:
    plain = {"vocab_size": words, "num_hidden_layers": layers, "num_attention_heads": 4, "hidden_size": WIDTH}
    plain |= {"intermediate_size": 64, "max_position_embeddings": positions}
    if kind == "gpt2":
        config = transformers.GPT2Config(
            vocab_size=words, n_layer=layers, n_head=4, n_embd=WIDTH, n_positions=positions
        )
        return transformers.GPT2Model(config)
    if kind == "llama":
        return transformers.LlamaModel(transformers.LlamaConfig(**plain))
    if kind == "t5":
        config = transformers.T5Config(
            vocab_size=words, d_model=WIDTH, d_kv=8, d_ff=64, num_layers=layers, num_heads=4, decoder_start_token_id=0
        )
        return transformers.T5Model(config)
    if kind == "roberta":
        plain |= {"max_position_embeddings": positions + 2, "pad_token_id": 1}
        return transformers.RobertaModel(transformers.RobertaConfig(**plain), add_pooling_layer=False)
    if kind == "albert":
        return transformers.AlbertModel(transformers.AlbertConfig(embedding_size=16, **plain), add_pooling_layer=False)
    return transformers.BertModel(transformers.BertConfig(**plain), add_pooling_layer=False)
