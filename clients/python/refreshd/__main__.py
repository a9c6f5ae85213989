"""`python -m refreshd`: see `python -m refreshd --help`."""

import sys

from .commands import main

sys.exit(main())
