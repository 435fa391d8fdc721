"""The inside of a forked child: runs the cells of one notebook and tells what each of them put out."""

from __future__ import annotations

import builtins
import io
import os
import sys
import tempfile
from collections.abc import Mapping

from ipykernel.jsonutil import encode_images, json_clean
from IPython.core.displayhook import DisplayHook
from IPython.core.displaypub import DisplayPublisher
from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config

from evalreport.book.gates import CUT

INLINE_BACKEND = "module://matplotlib_inline.backend_inline"
Output = dict[str, object]


class _Descriptor:
    """What programs started by a cell write goes past `sys.stdout`, straight to the descriptor: caught in a file."""

    def __init__(self, descriptor: int) -> None:
        self._file = tempfile.TemporaryFile("ab+")  # noqa: SIM115
        self._position = 0
        os.dup2(self._file.fileno(), descriptor)

    def text(self, limit: int) -> str:
        """What was written since the last time, one character more than `limit` at most."""
        data = os.pread(self._file.fileno(), 4 * (limit + 1), self._position)
        self._position = os.fstat(self._file.fileno()).st_size
        return data.decode("utf-8", "replace")[: limit + 1]


class Recorder:
    """The outputs of the cell that runs, as nbformat holds them, up to a limit of characters for each cell."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self._descriptors = {"stdout": _Descriptor(1), "stderr": _Descriptor(2)}
        self.outputs: list[Output] = []
        self.is_cut = False
        self._size = 0
        self._clear_first = False
        self._shown: dict[str, list[Output]] = {}

    def begin(self) -> None:
        """Forget the cell before."""
        self.outputs, self.is_cut, self._size, self._clear_first = [], False, 0, False
        self._shown.clear()

    def stream(self, name: str, text: str) -> None:
        """Text on stdout or stderr; pieces that follow each other are one output."""
        kept = self._admit(text)
        if not kept:
            return
        last = self.outputs[-1] if self.outputs else {}
        if last.get("output_type") == "stream" and last.get("name") == name:
            parts = last["text"]
            if isinstance(parts, list):
                parts.append(kept)
        else:
            self.outputs.append({"output_type": "stream", "name": name, "text": [kept]})

    def bundle(
        self, kind: str, data: Mapping[str, object], metadata: Mapping[str, object], *, count: int | None = None
    ) -> Output:
        """A display or the value of the last expression, as a MIME bundle."""
        self.drain()
        clean = json_clean(encode_images(dict(data)))
        output: Output = {"output_type": kind, "data": clean, "metadata": json_clean(dict(metadata))}
        if kind == "execute_result":
            output["execution_count"] = count
        size = sum(len(str(value)) for value in clean.values())
        if self._size + size > self.limit:
            self._admit("x" * size)
        else:
            self._clear_if_due()
            self._size += size
            self.outputs.append(output)
        return output

    def show(self, output: Output, display_id: str | None) -> None:
        """Remember a display under the name by which a later one may replace it."""
        if display_id is not None:
            self._shown.setdefault(display_id, []).append(output)

    def update(self, display_id: str | None, data: Mapping[str, object], metadata: Mapping[str, object]) -> None:
        """Replace what was displayed under this name in the same cell."""
        for output in self._shown.get(display_id or "", []):
            output.update(data=json_clean(encode_images(dict(data))), metadata=json_clean(dict(metadata)))

    def error(self, ename: str, evalue: str, traceback: list[str]) -> None:
        """An exception that ended the cell. Never cut."""
        self.outputs.append({"output_type": "error", "ename": ename, "evalue": evalue, "traceback": traceback})

    def drain(self) -> None:
        """Take in what programs started by the cell wrote."""
        for name, descriptor in self._descriptors.items():
            self.stream(name, descriptor.text(self.limit))

    def clear(self, *, wait: bool) -> None:
        """What `clear_output` asks for."""
        if wait:
            self._clear_first = True
        else:
            self.outputs.clear()

    def finish(self) -> list[Output]:
        """The outputs of the cell, with a note when some of it was cut."""
        self.drain()
        for output in self.outputs:
            if output["output_type"] == "stream" and isinstance(output["text"], list):
                output["text"] = "".join(output["text"])
        if self.is_cut:
            self.outputs.append(
                {"output_type": "stream", "name": "stderr", "text": f"{CUT}{self.limit:,} characters\n"}
            )
        return self.outputs

    def _clear_if_due(self) -> None:
        if self._clear_first:
            self.outputs.clear()
            self._clear_first = False

    def _admit(self, text: str) -> str:
        if self.is_cut or not text:
            return ""
        self._clear_if_due()
        room = self.limit - self._size
        self._size += len(text)
        self.is_cut = len(text) > room
        return text[:room]


class Stream(io.TextIOBase):
    """Takes the place of `sys.stdout` or `sys.stderr`."""

    encoding = "utf-8"

    def __init__(self, recorder: Recorder, name: str, fileno: int) -> None:
        self._recorder, self._name, self._fileno = recorder, name, fileno

    def writable(self) -> bool:
        """Always."""
        return True

    def fileno(self) -> int:
        """The descriptor that programs started by the cell write to."""
        return self._fileno

    def write(self, text: str) -> int:
        """Note the text as output of the cell."""
        self._recorder.stream(self._name, text)
        return len(text)


class Publisher(DisplayPublisher):
    """`display(...)` and friends."""

    recorder: Recorder

    def publish(  # type: ignore[override]
        self,
        data: Mapping[str, object],
        metadata: Mapping[str, object] | None = None,
        *,
        transient: Mapping[str, object] | None = None,
        update: bool = False,
        **_: object,
    ) -> None:
        """Note a display, or replace one."""
        name = (transient or {}).get("display_id")
        display_id = name if isinstance(name, str) else None
        if update:
            self.recorder.update(display_id, data, metadata or {})
        else:
            self.recorder.show(self.recorder.bundle("display_data", data, metadata or {}), display_id)

    def clear_output(self, wait: bool = False) -> None:
        """Forget what the cell showed so far."""
        self.recorder.clear(wait=wait)


class ResultHook(DisplayHook):
    """The value of a cell's last expression."""

    recorder: Recorder

    def start_displayhook(self) -> None:
        """Nothing is written before the value."""

    def write_output_prompt(self) -> None:
        """A notebook has no prompt in its output."""

    def write_format_data(self, format_dict: Mapping[str, object], md_dict: Mapping[str, object] | None = None) -> None:
        """Note the value once, as its MIME bundle."""
        if format_dict:
            self.recorder.bundle("execute_result", format_dict, md_dict or {}, count=self.prompt_count)

    def finish_displayhook(self) -> None:
        """Nothing is written after the value."""


class CellShell(InteractiveShell):
    """IPython without a terminal and without a history file."""

    recorder: Recorder
    asked_to_exit = False

    def ask_exit(self) -> None:
        """`exit()` and `quit()` in a cell."""
        self.asked_to_exit = True

    def _showtraceback(self, etype: type[BaseException], evalue: BaseException | None, stb: list[str]) -> None:
        self.recorder.error(etype.__name__, str(evalue), stb)


class CellRunner:
    """Executes cells one after another in a namespace of its own. Made in a child, once; it replaces `__main__`."""

    def __init__(self, limit: int) -> None:
        self.recorder = Recorder(limit)
        config = Config()
        config.HistoryManager.enabled = False
        config.InteractiveShell.colors = "nocolor"
        CellShell.clear_instance()
        # A "_" that an interactive parent left among the builtins keeps IPython from setting its own.
        vars(builtins).pop("_", None)
        self._shell = CellShell.instance(
            config=config, displayhook_class=ResultHook, display_pub_class=Publisher, user_ns={}
        )
        self._shell.recorder = self.recorder
        for end in (self._shell.display_pub, self._shell.displayhook):
            end.recorder = self.recorder  # type: ignore[union-attr]
        sys.stdin = io.StringIO()
        sys.stdout, sys.stderr = Stream(self.recorder, "stdout", 1), Stream(self.recorder, "stderr", 2)
        _select_inline_figures()

    def run(self, source: str) -> tuple[int, list[Output], bool]:
        """Execute a cell: its number, its outputs, whether it failed (`sys.exit` is a failure too)."""
        self.recorder.begin()
        result = self._shell.run_cell(source, store_history=True)  # type: ignore[no-untyped-call]
        error = result.error_in_exec or result.error_before_exec
        outputs = self.recorder.finish()
        if isinstance(error, SystemExit) or self._shell.asked_to_exit:
            outputs[:] = [output for output in outputs if output["output_type"] != "error"]
            call = f"sys.exit({error.code!r})" if isinstance(error, SystemExit) else "exit()"
            evalue = f"{call} ended the notebook before its last cell"
            outputs.append({"output_type": "error", "ename": "EndedEarly", "evalue": evalue, "traceback": []})
        failed = error is not None or any(output["output_type"] == "error" for output in outputs)
        return result.execution_count or 0, outputs, failed


def _select_inline_figures() -> None:
    # As the stock kernel does: figures of pyplot show themselves at the end of a cell, unless a backend was chosen.
    os.environ.setdefault("MPLBACKEND", INLINE_BACKEND)
    matplotlib = sys.modules.get("matplotlib")
    if matplotlib is None or matplotlib.get_backend(auto_select=False) is not None:
        return
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].switch_backend(INLINE_BACKEND)
    else:
        matplotlib.use(INLINE_BACKEND)
