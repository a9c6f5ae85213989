#!/usr/bin/env python3
"""A program that refreshd starts. It serves the songs of songs.csv over standard input and output, page by page with
cursors."""
import csv
import json
import pathlib
import sys

SONGS = pathlib.Path(__file__).with_name("songs.csv")


def say(**message):
    print(json.dumps(message), flush=True)


def songs(text):
    with SONGS.open(newline="", encoding="utf-8") as file:
        return [s for s in csv.DictReader(file) if text.lower() in s["title"].lower()]


def page(load):
    found = songs(load.get("parameters", {}).get("q", ""))
    first = int(load.get("cursor", 0))
    last = first + load["size"]
    return {"items": found[first:last], "total": len(found),
            "next": str(last) if last < len(found) else None}


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "bye":
        break
    if message["type"] == "load":
        try:
            say(type="page", id=message["id"], **page(message))
        except (OSError, KeyError, ValueError) as error:
            print(error, file=sys.stderr, flush=True)
            say(type="failed", id=message["id"], temporary=isinstance(error, OSError))
