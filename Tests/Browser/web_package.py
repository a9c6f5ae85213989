"""The package of the web client, as a user installs it, and a web server for pages that use it."""

import functools
import http.server
import json
import os
import pathlib
import re
import shutil
import subprocess
import tarfile
import tempfile
import threading

ROOT = pathlib.Path(__file__).parents[2]
# Debian's packages of JavaScript modules. They find each other by NODE_PATH.
MODULES = pathlib.Path("/usr/share/nodejs")
ENVIRONMENT = os.environ | {"NODE_PATH": str(MODULES)}
# The address of the daemon in the examples.
EXAMPLE_DAEMON = "ws://127.0.0.1:8080/"
COMMAND_SECONDS = 300


class InstalledPackage:
    """A folder of a user's project. Its `node_modules` contains the packed client, and Debian's React and WebSocket."""

    def __init__(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.temporary.name).resolve()
        self.run(ROOT / "scripts/package-web", "--output", self.folder)
        [self.tarball] = self.folder.glob("*.tgz")
        modules = self.folder / "node_modules"
        self.package = modules / "refreshd-client"
        with tarfile.open(self.tarball) as archive:
            archive.extractall(modules)
        (modules / "package").rename(self.package)
        for name in ("react", "react-dom", "ws"):
            (modules / name).symlink_to(MODULES / name)
        for path in (ROOT / "Tests/WebPackage").iterdir():
            shutil.copy(path, self.folder)
        (self.folder / "package.json").write_text('{"type": "module"}')

    def run(self, *command):
        """Runs a command in the folder. Returns its output; raises an error with the output if it fails."""
        done = subprocess.run(
            [str(part) for part in command], cwd=self.folder, env=ENVIRONMENT, timeout=COMMAND_SECONDS,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        if done.returncode != 0:
            raise AssertionError(f"{command}: exit status {done.returncode}\n{done.stdout}")
        return done.stdout

    def check_types(self, resolution):
        """Compiles a strict program that uses the package. `resolution` is how the compiler finds packages."""
        settings = {
            "strict": True, "noEmit": True, "target": "es2022", "lib": ["es2022", "dom", "dom.iterable"], "types": [],
            "module": "es2022" if resolution == "node" else resolution, "moduleResolution": resolution}
        project = self.folder / f"{resolution}.json"
        project.write_text(json.dumps({"compilerOptions": settings, "files": ["consumer.ts"]}))
        self.run("/usr/bin/tsc", "-p", project)

    def check_readme(self):
        """Compiles the JavaScript of the README with all strict checks. Returns the number of programs."""
        text = (self.package / "README.md").read_text(encoding="utf-8")
        programs = []
        for block in re.findall(r"^```js\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
            # A block without imports continues the program before it that uses the package.
            if block.startswith("import "):
                programs.append(block)
            else:
                last = max(index for index, program in enumerate(programs) if "refreshd-client" in program)
                programs[last] += block
        names = ["readme.d.ts"]
        for number, program in enumerate(programs):
            names.append(f"readme-{number}.ts")
            # A type in a comment counts only in JavaScript.
            program = re.sub(r"/\*\* @type \{(\w+)\} \*/ (\w+)", r"\2: \1", program)
            (self.folder / names[-1]).write_text(program)
        settings = {
            "strict": True, "noEmit": True, "target": "es2022", "lib": ["es2022", "dom", "dom.iterable"], "types": [],
            "module": "es2022", "moduleResolution": "node"}
        project = self.folder / "readme.json"
        project.write_text(json.dumps({"compilerOptions": settings, "files": names}))
        self.run("/usr/bin/tsc", "-p", project)
        return len(programs)

    def write_examples(self, port):
        """Writes the examples into `pages`, with the address of this daemon, and the bundle of the example with React."""
        pages = self.folder / "pages"
        (pages / "examples").mkdir(parents=True)
        for path in self.package.glob("*.js"):
            shutil.copy(path, pages)
        for path in (self.package / "examples").iterdir():
            text = path.read_text(encoding="utf-8")
            # Every other example connects.
            if EXAMPLE_DAEMON not in text and path.name not in ("own-elements.html", "board.css", "board.js"):
                raise AssertionError(f"{path.name} does not connect to {EXAMPLE_DAEMON}")
            (self.folder / path.name).write_text(text.replace(EXAMPLE_DAEMON, f"ws://127.0.0.1:{port}/"))
        for name in ("ten-lines.html", "own-elements.html", "own-elements.js"):
            shutil.copy(self.folder / name, pages / "examples")
        page = (self.folder / "ten-lines.html").read_text()
        (pages / "examples/resume.html").write_text(page.replace(' key="name"', ' key="name" resume'))
        rows = self.folder / "rows.jsx"
        rows.write_text(rows.read_text().replace(EXAMPLE_DAEMON, f"ws://127.0.0.1:{port}/"))
        for name in ("react", "rows"):
            self.run(
                "/usr/bin/esbuild", f"{name}.jsx", "--bundle", "--format=esm", "--jsx=automatic", "--preserve-symlinks",
                '--define:process.env.NODE_ENV="development"', f"--outfile={pages / 'examples' / name}.js")
            (pages / f"examples/{name}.html").write_text(
                '<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>React</title>'
                '<main></main>'
                f'<script type="module" src="{name}.js"></script></html>')
        return pages

    def close(self):
        self.temporary.cleanup()


class Handler(http.server.SimpleHTTPRequestHandler):
    """Serves files. The policy permits no inline script."""

    def end_headers(self):
        self.send_header("Content-Security-Policy", "script-src 'self'; object-src 'none'")
        super().end_headers()

    def log_message(self, *_):
        pass


class WebServer:
    """Serves the pages of a user's project on a free port."""

    def __init__(self):
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        self.is_started = False

    def start(self, folder):
        self.server.RequestHandlerClass = functools.partial(Handler, directory=str(folder))
        self.is_started = True
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        if self.is_started:
            self.server.shutdown()
        self.server.server_close()
