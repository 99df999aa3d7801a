"""A small lexicon for the second opinion, beside the closed classes of the Portuguese pack, and how cases are written.

A case is a sentence with its phrase in brackets and one word in two forms: the one that agrees, then one that does
not, as in `Ele viu um|uma [ disco voador ] .`
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ncimp.builder.records import Form, Gender, Language, Number
from ncimp.builder.sources.packs.forms import PackMorphology
from ncimp.builder.sources.packs.language import read_language
from ncimp.builder.sources.packs.packs import packs_folder
from ncimp.builder.validation.agreement.checker import AgreementChecker
from ncimp.builder.validation.agreement.phrase import Finding

NOUNS: Mapping[Gender | None, str] = {
    "m": """ataque ataques; barco barcos; chefe chefes; disco discos; erro erros; grupo grupos; jornal jornais;
        pedido pedidos; ponto pontos; relógio relógios; risco riscos; mercado mercados; caso casos; vento ventos;
        banco bancos; excesso excessos; ministro ministros; diretor diretores; preço preços; prédio prédios""",
    "f": """aldeia aldeias; bandeira bandeiras; carta cartas; casa casas; cidade cidades; defesa defesas; festa festas;
        janela janelas; maioria maiorias; noite noites; porta portas; rua ruas; tarde tardes; terra terras;
        parte partes; estátua estátuas; chave chaves; paciência paciências; crise crises""",
    None: "artista artistas; colega colegas; turista turistas",
}

ADJECTIVES = """
antigo antiga antigos antigas
branco branca brancos brancas
cego cega cegos cegas
cheio cheia cheios cheias
financeiro financeira financeiros financeiras
fraco fraca fracos fracas
francês francesa franceses francesas
grande grande grandes grandes
necessário necessária necessários necessárias
novo nova novos novas
primeiro primeira primeiros primeiras
político política políticos políticas
quieto quieta quietos quietas
último última últimos últimas
velho velha velhos velhas
voador voadora voadores voadoras
"""

PARTICIPLES = """
abrir aberto aberta abertos abertas
consertar consertado consertada consertados consertadas
construir construído construída construídos construídas
esquecer esquecido esquecida esquecidos esquecidas
vender vendido vendida vendidos vendidas
"""

VERBS = """
abrir abre abrem; chegar chega chegam; custar custa custam; existir existe existem; falar fala falam; ver viu viram;
mudar mudou mudaram; pedir pede pedem; perder perdeu perderam; procurar procura procuram; sumir sumiu sumiram;
vender vende vendem; votar votou votaram; consertar conserta consertam; poder pode podem; ter tem têm; ser é são;
ser era eram; ser foi foram
"""


def forms() -> list[Form]:
    """The rows of the lexicon."""
    found = []
    for gender, pairs in NOUNS.items():
        for singular, plural in (pair.split() for pair in pairs.split(";")):
            found.append(Form(singular, singular, "noun", gender, "sg", None))
            found.append(Form(plural, singular, "noun", gender, "pl", None))
    for words in map(str.split, ADJECTIVES.strip().splitlines()):
        found += _agreeing(words[0], words)
    for lemma, *words in map(str.split, PARTICIPLES.strip().splitlines()):
        found += _agreeing(lemma, words)
    for lemma, singular, plural in (entry.split() for entry in VERBS.split(";")):
        found.append(Form(lemma, lemma, "verb", None, None, None))
        found += [Form(singular, lemma, "verb", None, "sg", None), Form(plural, lemma, "verb", None, "pl", None)]
    for adverb in ("ontem", "também", "muito"):
        found.append(Form(adverb, adverb, "adv", None, None, None))
    return found


def _agreeing(lemma: str, words: list[str]) -> list[Form]:
    cells = zip(PORTUGUESE.cells(), words, strict=True)
    return [Form(word, lemma, "adj", gender, number, None) for (gender, number), word in cells]


class Lexicon(PackMorphology):
    """The small lexicon, and counts for it where a test gives some."""

    def __init__(
        self,
        language: Language,
        more: list[Form] | None = None,
        *,
        tallies: Mapping[str, Mapping[str, int]] | None = None,
        genders: Mapping[tuple[str, Gender | None], int] | None = None,
    ) -> None:
        super().__init__([*forms(), *(more or ())], language)
        self._tallies, self._genders = tallies or {}, genders or {}

    def tally(self, form: str) -> dict[str, int]:
        return dict(self._tallies.get(form.lower(), {}))

    def count(self, reading: Form) -> int:
        return self._genders.get((reading.form, reading.gender), 0)


PORTUGUESE = read_language(packs_folder() / "pt" / "pack.toml")
OPINION = AgreementChecker(PORTUGUESE, Lexicon(PORTUGUESE))


@dataclass(frozen=True)
class Case:
    """One sentence, agreeing and not, and where the two differ."""

    right: list[str]
    wrong: list[str]
    index: int
    start: int
    end: int


def read_case(text: str) -> Case:
    """Read a case; without two forms of a word, both sentences are the same and the index is -1."""
    tokens = text.split()
    start = tokens.index("[")
    tokens.remove("[")
    end = tokens.index("]")
    tokens.remove("]")
    index = next((at for at, token in enumerate(tokens) if "|" in token), -1)
    right, wrong = [token.split("|")[0] for token in tokens], [token.split("|")[-1] for token in tokens]
    return Case(right, wrong, index, start, end)


def findings(
    text: str, opinion: AgreementChecker = OPINION, *, gender: Gender | None = None, number: Number | None = None
) -> list[Finding]:
    """The findings in a sentence with its phrase in brackets."""
    case = read_case(text)
    return opinion.findings(case.right, case.start, case.end, gender=gender, number=number)
