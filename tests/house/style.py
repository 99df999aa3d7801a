"""Measures of the code: how it is cut and how it speaks, with the places behind each figure.

Short functions and small modules are easily overdone; the figures after the first four show the cost of cutting too
small, and names and docstrings that have to be decoded. Only `ast` is used; nothing is imported or run.
"""

from __future__ import annotations

import ast
import re
import statistics
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

Function = ast.FunctionDef | ast.AsyncFunctionDef
Figure = tuple[float, list[str]]
"""A value and the places behind it."""

PARTICIPLE = re.compile(
    "asked|begun|brought|chosen|done|drawn|found|given|gone|heard|held|kept|known|left|lost|made|meant|named|own|put|said|"
    "seen|sent|taken|thought|told|wanted|written"
)
WH_WORD = re.compile(r"\s*(?:return |yield )?(?:what|which|who|whose|how|where|whether)\b", re.IGNORECASE)


@dataclass(frozen=True)
class Source:
    """A module of the project: its dotted name and its text."""

    name: str
    text: str

    @cached_property
    def tree(self) -> ast.Module:
        """The syntax tree."""
        return ast.parse(self.text)

    @cached_property
    def nodes(self) -> list[ast.AST]:
        """Every node of the tree."""
        return list(ast.walk(self.tree))

    @property
    def functions(self) -> list[Function]:
        """Every function and method."""
        return [node for node in self.nodes if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]

    @cached_property
    def code_lines(self) -> int:
        """The number of lines that are neither blank, comment nor docstring."""
        strings = {
            line
            for node in self.nodes
            if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
            for line in range(node.lineno, (node.end_lineno or 0) + 1)
        }
        lines = enumerate(self.text.splitlines(), 1)
        return sum(bool(text.strip()) and text.lstrip()[0] != "#" and line not in strings for line, text in lines)


def read_sources(root: Path, rooms: tuple[str, ...]) -> list[Source]:
    """Return every module below the folders *rooms* of *root*, named `ncimp.<room>...`."""
    paths = [path for room in rooms for path in sorted((root / room).rglob("*.py"))]
    names = (".".join(("ncimp", *path.relative_to(root).with_suffix("").parts)) for path in paths)
    return [
        Source(name.removesuffix(".__init__"), path.read_text(encoding="utf-8"))
        for name, path in zip(names, paths, strict=True)
    ]


def measure(sources: list[Source]) -> dict[str, Figure]:
    """Return every figure by its name."""
    functions = [(f"{source.name}.{function.name}", function) for source in sources for function in source.functions]
    lengths = sorted(_length(function) for _, function in functions)
    sizes = [source.code_lines for source in sources if source.code_lines]
    documented = [place for source in sources for place in _public_definitions(source)]
    bindings, participles = _bindings(sources)
    docstrings = [(source.name, text) for source in sources for text in _docstrings(source)]
    lines = sum(len(source.text.splitlines()) for source in sources)
    untyped = [name for name, function in functions if not _is_annotated(function)]
    return {
        "modules": (len(sizes), []),
        "lines": (lines, []),
        "largest module": (max(sizes), [s.name for s in sources if s.code_lines == max(sizes)]),
        "median module": (statistics.median(sizes), []),
        "function length, 95th percentile": (lengths[int(len(lengths) * 0.95)], []),
        "functions without annotations, %": (_share(untyped, functions), untyped),
        "public names without a docstring, %": _missing_docstrings(documented),
        "import lines, %": (100 * sum(map(_import_lines, sources)) / lines, []),
        "modules with one user, %": _modules_with_one_user(sources),
        "private functions used once, %": _private_functions_used_once(sources, len(functions)),
        "imports inside functions": _counted(place for source in sources for place in _local_imports(source)),
        "names that are participles, %": (_share(participles, range(bindings)), participles),
        "docstrings that open with a wh-word, %": _wh_docstrings(docstrings),
        "class names of two modules": _homonyms(sources),
        "import cycles": _counted(find_cycle(import_graph(sources))),
    }


def _counted(places: Iterable[str]) -> Figure:
    rows = list(places)
    return len(rows), rows


def _share(part: Iterable[object], whole: Iterable[object]) -> float:
    return 100 * len(list(part)) / max(1, len(list(whole)))


def _length(function: Function) -> int:
    """Return the source lines of *function* without its docstring."""
    first = function.body[0]
    docstring = (first.end_lineno or 0) - first.lineno + 1 if ast.get_docstring(function) is not None else 0
    return (function.end_lineno or 0) - function.lineno + 1 - docstring


def _is_annotated(function: Function) -> bool:
    """Test whether every parameter but self and cls, and the return, carries an annotation."""
    args = function.args
    parameters = [*args.posonlyargs, *args.args, *args.kwonlyargs, *filter(None, (args.vararg, args.kwarg))]
    typed = all(arg.annotation is not None for arg in parameters if arg.arg not in ("self", "cls"))
    return typed and (function.returns is not None or function.name == "__init__")


def _public_definitions(source: Source) -> Iterator[tuple[str, ast.Module | ast.ClassDef | Function]]:
    """Yield the module and its public functions, classes and methods, with their names."""
    scopes: list[tuple[str, ast.Module | ast.ClassDef]] = [(source.name, source.tree)]
    yield scopes[0]
    while scopes:
        prefix, scope = scopes.pop()
        for node in scope.body:
            if isinstance(node, ast.ClassDef | Function) and node.name[0] != "_":
                yield f"{prefix}.{node.name}", node
                if isinstance(node, ast.ClassDef):
                    scopes.append((f"{prefix}.{node.name}", node))


def _missing_docstrings(definitions: list[tuple[str, ast.Module | ast.ClassDef | Function]]) -> Figure:
    names = [name for name, node in definitions if ast.get_docstring(node) is None]
    return _share(names, definitions), names


def _import_lines(source: Source) -> int:
    imports = [node for node in source.nodes if isinstance(node, ast.Import | ast.ImportFrom)]
    return sum((node.end_lineno or 0) - node.lineno + 1 for node in imports)


def _imported_modules(nodes: Iterable[ast.AST], names: set[str]) -> set[str]:
    """Return the modules among *names* that *nodes* import."""
    modules: set[str] = set()
    for node in nodes:
        if isinstance(node, ast.Import):
            modules |= {alias.name for alias in node.names} & names
        elif isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                full = f"{node.module}.{alias.name}"
                modules |= {full} if full in names else {node.module} & names
    return modules


def _modules_with_one_user(sources: list[Source]) -> Figure:
    names = {source.name for source in sources}
    users: dict[str, set[str]] = defaultdict(set)
    for source in sources:
        for module in _imported_modules(source.nodes, names):
            users[module].add(source.name)
    packages = {name.rpartition(".")[0] for name in names}
    lone = sorted(name for name in names - packages if len(users[name]) == 1)
    return _share(lone, sources), [f"{name} <- {next(iter(users[name]))}" for name in lone]


def _private_functions_used_once(sources: list[Source], functions: int) -> Figure:
    places = []
    for source in sources:
        uses = Counter(node.id for node in source.nodes if isinstance(node, ast.Name))
        uses.update(node.attr for node in source.nodes if isinstance(node, ast.Attribute))
        names = {function.name for function in source.functions if re.match("_[^_]", function.name)}
        places += [f"{source.name}.{name}" for name in sorted(names) if uses[name] == 1]
    return _share(places, range(functions)), places


def _local_imports(source: Source) -> set[str]:
    return {
        f"{source.name}:{node.lineno}"
        for function in source.functions
        for node in ast.walk(function)
        if isinstance(node, ast.ImportFrom) and str(node.module).split(".")[0] == "ncimp"
    }


def _bindings(sources: list[Source]) -> tuple[int, list[str]]:
    """Return how many names are bound to values, and the places of those that are bare participles."""
    names = [
        (source.name, node.lineno, node.arg if isinstance(node, ast.arg) else node.id)
        for source in sources
        for node in source.nodes
        if isinstance(node, ast.arg) or (isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store))
    ]
    return len(names), [f"{module}:{line}: {name}" for module, line, name in names if PARTICIPLE.fullmatch(name)]


def _docstrings(source: Source) -> Iterator[str]:
    for node in source.nodes:
        if isinstance(node, ast.Module | ast.ClassDef | Function) and (text := ast.get_docstring(node)):
            yield text


def _wh_docstrings(docstrings: list[tuple[str, str]]) -> Figure:
    places = [f"{name}: {text.splitlines()[0]}" for name, text in docstrings if WH_WORD.match(text)]
    return _share(places, docstrings), places


def _homonyms(sources: list[Source]) -> Figure:
    modules: dict[str, set[str]] = defaultdict(set)
    for source in sources:
        for node in source.nodes:
            if isinstance(node, ast.ClassDef) and node.name[0] != "_":
                modules[node.name].add(source.name)
    return _counted(f"{name}: {', '.join(sorted(where))}" for name, where in modules.items() if len(where) > 1)


def import_graph(sources: list[Source]) -> dict[str, set[str]]:
    """Return the modules of the project that each module imports when it is itself imported."""
    names = {source.name for source in sources}
    return {s.name: _imported_modules(_import_time(s.tree), names) - {s.name} for s in sources}


def _import_time(scope: ast.Module | ast.If | ast.Try) -> Iterator[ast.AST]:
    for node in scope.body:
        if isinstance(node, ast.Try) or (isinstance(node, ast.If) and "TYPE_CHECKING" not in ast.dump(node.test)):
            yield from _import_time(node)
        else:
            yield node


def find_cycle(graph: dict[str, set[str]]) -> list[str]:
    """Return one import cycle of *graph* (names in order, first repeated last), or an empty list."""
    done: set[str] = set()

    def walk(name: str, trail: list[str]) -> list[str]:
        if name in trail:
            return [*trail[trail.index(name) :], name]
        if name in done:
            return []
        for other in sorted(graph[name]):
            if cycle := walk(other, [*trail, name]):
                return cycle
        done.add(name)
        return []

    return next((cycle for name in sorted(graph) if (cycle := walk(name, []))), [])
