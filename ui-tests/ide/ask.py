"""Asks rust-analyzer what a person asks while typing an application: hover and completion, over LSP.

Needs Python 3 and rust-analyzer, `$RUST_ANALYZER` or the one on the path. Without it nothing is asked, which the last line says;
with `--required` that is a failure.
"""

import json
import os
import pathlib
import queue
import re
import shutil
import subprocess
import sys
import threading

HERE = pathlib.Path(__file__).resolve().parent
FIXTURE = HERE / "fixture"
FILE = FIXTURE / "src" / "lib.rs"
NAMES = HERE.parent.parent / "runtime" / "src" / "ide.rs"
# Seconds: the macros are compiled on the way.
PATIENCE = 300

MODULE = """
#[runtime::kinesis_app(name = "billing", crate = crate::runtime%(app)s)]
mod billing {
    use crate::runtime::*;
    use super::{Order, Outcome};

    pub struct Prost;

    #[stream(name = "orders"%(stream)s)]
    pub struct Orders;

    #[stream(name = "receipts")]
    pub struct Receipts;

    #[on_%(at)srecord(%(subject)s%(handler)s)]
    async fn book(order: Order) -> Outcome {
        %(body)s
    }

    #[on_shard_end(%(closed)s)]
    async fn close() {}
}

#[runtime::stream(name = "alone", crate = crate::runtime%(alone)s)]
pub struct Alone;
"""

# What stands in the module's places when a question says nothing.
PARTS = {
    "app": "", "stream": "", "alone": "", "subject": "Orders", "handler": "", "at": "", "body": "Outcome::Done",
    "closed": "Orders",
}

# Where the words of a key stand: the part of the module, the key around them, and what the runtime's names call them.
PARENTHESES = [
    ("app", "leases(%s)", "leases"),
    ("app", "leases(dynamodb(%s))", "environment"),
    ("app", "credentials(%s)", "credentials"),
    ("app", "region(%s)", "environment"),
    ("stream", "start(%s)", "start"),
    ("stream", "start(timestamp(%s))", "environment"),
    ("stream", "create_if_missing(%s)", "create_if_missing"),
    ("stream", "on_fatal(%s)", "on_fatal"),
    ("stream", "on_recreated(%s)", "on_recreated"),
    ("stream", "poll_interval(%s)", "environment"),
    ("alone", "start(%s)", "start"),
    ("handler", "concurrency(%s)", "concurrency"),
    ("handler", "ordered(%s)", "ordered"),
    ("handler", "retry(%s)", "retry"),
    ("handler", "retry(backoff(%s))", "environment"),
    ("handler", "exhausted(%s)", "exhausted"),
    ("handler", "undecodable(%s)", "undecodable"),
]

# Where a type stands.
TYPES = [
    ("subject", "%s"),
    ("closed", "%s"),
    ("stream", ", codec(%s)"),
    ("handler", ", publish(%s)"),
    ("handler", ", exhausted(dead_letter(%s))"),
    ("handler", ", undecodable(dead_letter(%s))"),
]


def module(**parts):
    """A module with `$0` somewhere: its text without it, and the place, as LSP counts."""
    text = FILE.read_text() + MODULE % {**PARTS, **parts}
    before, after = text.split("$0")
    lines = before.split("\n")
    return before + after, {"line": len(lines) - 1, "character": len(lines[-1])}


def known():
    """What the runtime's names for the editor have of each attribute and key: words with their lines."""
    tables = re.findall(r"pub mod (\w+) \{\n(.*?)\n\}", NAMES.read_text(), re.S)
    lines = re.compile(r"/// (.*)\n    pub mod (\w+) \{\}")
    return {of: {word: line for line, word in lines.findall(words)} for of, words in tables}


class Editor:
    """A client of a language server with one file open."""

    def __init__(self, command):
        target = HERE.parent.parent / "target" / "ide"
        self.server = subprocess.Popen(
            command,
            env={"CARGO_TARGET_DIR": str(target), **os.environ},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        self.messages = queue.Queue()
        threading.Thread(target=self.read, daemon=True).start()
        self.count = 0
        self.version = 0
        settings = {
            "cachePriming": {"enable": False},
            "cargo": {"buildScripts": {"enable": True}},
            "checkOnSave": False,
            "procMacro": {"enable": True},
        }
        self.request("initialize", {
            "processId": os.getpid(),
            "rootUri": FIXTURE.as_uri(),
            "initializationOptions": settings,
            "capabilities": {
                "experimental": {"serverStatusNotification": True},
                "textDocument": {"hover": {"contentFormat": ["markdown"]}},
            },
        })
        self.notify("initialized", {})
        text = FILE.read_text()
        document = {"uri": FILE.as_uri(), "languageId": "rust", "version": 0, "text": text}
        self.notify("textDocument/didOpen", {"textDocument": document})
        self.wait(lambda message: message.get("method") == "experimental/serverStatus"
                  and message["params"]["quiescent"])

    def read(self):
        while header := self.server.stdout.readline():
            length = 0
            while header.strip():
                if header.lower().startswith(b"content-length:"):
                    length = int(header.split(b":")[1])
                header = self.server.stdout.readline()
            self.messages.put(json.loads(self.server.stdout.read(length)))

    def write(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.server.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.server.stdin.flush()

    def notify(self, method, params):
        self.write({"method": method, "params": params})

    def wait(self, wanted):
        while True:
            message = self.messages.get(timeout=PATIENCE)
            if "method" in message and "id" in message:
                # A request of the server's: none of them matters here.
                self.write({"id": message["id"], "result": None})
            elif wanted(message):
                return message

    def request(self, method, params):
        self.count += 1
        number = self.count
        self.write({"id": number, "method": method, "params": params})
        answer = self.wait(lambda message: message.get("id") == number)
        if "error" in answer:
            sys.exit(f"{method}: {answer['error']}")
        return answer["result"]

    def ask(self, what, text, place):
        self.version += 1
        self.notify("textDocument/didChange", {
            "textDocument": {"uri": FILE.as_uri(), "version": self.version},
            "contentChanges": [{"text": text}],
        })
        document = {"textDocument": {"uri": FILE.as_uri()}, "position": place}
        return self.request(f"textDocument/{what}", document)

    def hover(self, **parts):
        answer = self.ask("hover", *module(**parts))
        return answer["contents"]["value"] if answer else ""

    def complete(self, **parts):
        answer = self.ask("completion", *module(**parts)) or []
        items = answer["items"] if isinstance(answer, dict) else answer
        return {item["label"].split("(")[0].strip() for item in items}


def find():
    for command in filter(None, [os.environ.get("RUST_ANALYZER"), shutil.which("rust-analyzer")]):
        # Rustup leaves a proxy of this name for a component that may not be there.
        if subprocess.run([command, "--version"], capture_output=True).returncode == 0:
            return command
    return None


def expect(question, holds, answer):
    print(f"{'ok' if holds else 'FAILED'}: {question}")
    if not holds:
        print(f"    {answer}")
    return holds


def main():
    command = find()
    if command is None:
        print("not run: no rust-analyzer")
        sys.exit("--required" in sys.argv)
    shutil.copy(NAMES, FIXTURE / "src" / "ide.rs")
    editor = Editor([command])
    results = []

    answer = editor.hover(at="$0")
    results.append(expect("hover on an attribute shows its page", "handles the records of a stream" in answer, answer))

    answer = editor.hover(handler=", conc$0urrency = 8")
    results.append(expect("hover on a key shows its line", "Records of one shard" in answer, answer))

    words = known()
    for part, attribute in [("app", "kinesis_app"), ("stream", "stream"), ("handler", "on_record")]:
        for typed in ["", "a"]:
            answer = editor.complete(**{part: f", {typed}$0"})
            wanted = set(words[attribute])
            results.append(expect(f"completion of `{typed}` in `#[{attribute}(..)]` gives its keys", answer == wanted, answer ^ wanted))

    for part, around, of in PARENTHESES:
        wanted = set(words[of])
        first = min(wanted)
        # Half typed with a mistake beside it, before a letter is typed, behind another word, and in the place of a value.
        for typed in ["a$0", "$0", f"{first}, $0", f"{first}, a$0"]:
            answer = editor.complete(**{part: f", concurency = 8, {around % typed}"})
            results.append(expect(f"completion in `{around % typed}` gives its words", answer == wanted, answer ^ wanted))
        missed = {}
        for word, line in words[of].items():
            answer = editor.hover(**{part: f", {around % ('$0' + word)}"})
            if line not in answer:
                missed[word] = answer
        results.append(expect(f"hover on the words in `{around % '..'}` shows their lines", not missed, missed))

    answer = editor.complete(stream=", start(la$0")
    results.append(expect("completion in parentheses that are not closed", "latest" in answer, answer))

    for part, around in TYPES:
        for typed in ["Rec$0", "$0", "self::Rec$0", "crate::billing::$0"]:
            answer = editor.complete(**{part: around % typed})
            wanted = {"Orders", "Receipts", "Prost"}
            results.append(expect(f"completion in `{around % typed}` knows the types ({part})", wanted <= answer, wanted - answer))
        # With a mistake in another place.
        answer = editor.hover(**{"app": ", credential", part: around % "$0Receipts"})
        results.append(expect(f"hover in `{around % 'Receipts'}` shows the type ({part})", "struct Receipts" in answer, answer))

    answer = {key for key in editor.complete(stream=", batch_$0") if key.startswith("batch_")}
    results.append(expect("completion of `batch_` in `#[stream(..)]` gives `batch_size` alone", answer == {"batch_size"}, answer))

    for broken in [", concurrency = ", ", concurency = 8", ", concurrency = 8 8"]:
        answer = editor.complete(handler=broken, body="order.$0")
        results.append(expect(f"completion in a body behind `#[on_record(Orders{broken})]`", {"id", "customer"} <= answer, answer))

    editor.server.kill()
    sys.exit(not all(results))


main()
