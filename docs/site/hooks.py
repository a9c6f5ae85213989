"""Makes the pages of the site from the Markdown of the tree, which is written as GitHub renders it.

MkDocs calls the functions whose names begin with `on_`. mkdocs.yml names this file.
"""

import fnmatch
import logging
import pathlib

from mkdocs.structure.files import File

import commonmark
import diagrams
import github

ROOT = pathlib.Path(__file__).resolve().parents[2]
# The pages outside docs/. Their paths in the site are those in the tree.
OTHER_PAGES = (
    "README.md", "CONTRIBUTING.md", "Benchmarks/README.md", "Sources/*/README.md", "clients/README.md",
    "clients/*/README.md", "examples/README.md", "examples/*/README.md")
# Folders for which a list of pages is made if they have no README.md of their own, with the heading and the first
# sentence of this list.
LISTS = {
    "clients": ("Clients", "Each client of this project has a page."),
    "decisions": (
        "Decisions", "Each decision that had reasonable alternatives and is expensive to reverse has a record."),
    "examples": ("Examples", "Each example has a page with its commands."),
}
LIST = "README.md"
# Of pages with the same words, the search shows those with a larger factor first. It is 1 for the others.
FACTORS = {
    "glossary.md": 2, "protocol.md": 2, "start.md": 2, "messages.md": 0.5, "conformance.md": 0.3, "testing.md": 0.5,
    "decisions/*.md": 0.5}

log = logging.getLogger("mkdocs.hooks.site")


def on_config(config):
    """Sets the options that need objects of Python."""
    config.mdx_configs["toc"]["slugify"] = github.slug
    config.mdx_configs["pymdownx.superfences"] = {
        "custom_fences": [{"name": "mermaid", "class": "diagram", "format": diagrams.fence}]}
    config.markdown_extensions.append(github.GitHubMarkdown())
    return config


def on_files(files, config):
    """Adds the pages outside docs/ and the lists of pages, and completes the navigation."""
    for pattern in OTHER_PAGES:
        for path in sorted(ROOT.glob(pattern)):
            files.append(File.generated(config, path.relative_to(ROOT).as_posix(), abs_src_path=str(path)))
    for folder, (title, sentence) in LISTS.items():
        pages = sorted(
            (file for file in files.documentation_pages() if fnmatch.fnmatchcase(file.src_uri, f"{folder}/*.md")),
            key=lambda file: file.src_uri)
        name = f"{folder}/{LIST}"
        if pages and not files.get_file_from_path(name):
            rows = [f"- [{heading(file)}]({file.src_uri.removeprefix(folder + '/')})" for file in pages]
            files.append(File.generated(
                config, name, content="\n".join([f"# {title}", "", sentence, "", *rows, ""])))
    config.nav = navigation(config.nav, [file.src_uri for file in files.documentation_pages()])
    return files


def on_page_markdown(markdown, page, config, files):
    """Prepares the text of a page, and the objects that process it."""
    for pattern, factor in FACTORS.items():
        if matches(page.file.src_uri, pattern):
            page.meta["search"] = {"boost": factor}
    github.begin(page, files)
    return commonmark.rewritten(markdown)


def heading(file):
    """Returns the first heading of a page."""
    lines = file.content_string.splitlines()
    return next((line.removeprefix("# ") for line in lines if line.startswith("# ")), file.src_uri)


def navigation(entries, pages):
    """Returns the navigation with its patterns expanded. Pages without an entry are in its last section.

    Entries that end with `?` are left out if there is no such page.
    """
    named = {entry.rstrip("?") for entry in leaves(entries) if "*" not in entry}

    def found(entry):
        """Returns the pages of an entry. A folder without pages has no list of pages."""
        if "*" in entry:
            return sorted(page for page in pages if matches(page, entry) and page not in named)
        path = entry.rstrip("?")
        return [] if path not in pages and (path != entry or path.endswith(f"/{LIST}")) else [path]

    def expanded(items):
        result = []
        for item in items:
            if isinstance(item, str):
                result += found(item)
                continue
            for title, content in item.items():
                if isinstance(content, str):
                    result += [{title: path} for path in found(content)]
                elif children := expanded(content):
                    result.append({title: children})
        return result

    complete = expanded(entries)
    others = sorted(set(pages) - set(leaves(complete)))
    if others:
        log.warning("These pages have no entry in the navigation (`nav` in mkdocs.yml): %s", ", ".join(others))
        complete.append({"Other pages": others})
    return complete


def leaves(entries):
    """Returns the paths of all entries of a navigation."""
    for entry in entries:
        if isinstance(entry, str):
            yield entry
        else:
            for content in entry.values():
                yield from leaves([content] if isinstance(content, str) else content)


def matches(page, pattern):
    """Whether a page matches a pattern. A star matches within one folder."""
    return page.count("/") == pattern.count("/") and fnmatch.fnmatchcase(page, pattern)
