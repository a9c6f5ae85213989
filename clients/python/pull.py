#!/usr/bin/env python3
"""Pulls a list through refreshd, without an installation of the package: `python -m refreshd pull`.

    pull.py [--diagnostics] ws://127.0.0.1:8080/v1/session
"""
import sys

from refreshd.commands import main

sys.exit(main(["pull", *sys.argv[1:]]))
