"""One emitter for each language.

An emitter is a module in this folder. Its name is the name of the language, such as `python`. It has one function:

    def files(contract: generate_clients.contract.Contract) -> dict[str, str]

The keys of the result are paths below the root of the project. The values are the whole texts of these files. A text
depends on the contract alone, so that the same contract always results in the same files. Each text begins with
`contract.NOTICE` as a comment of its language.
"""

import importlib
import pkgutil


def modules():
    """Returns the emitters by language, in the order of their names."""
    names = sorted(module.name for module in pkgutil.iter_modules(__path__))
    return {name: importlib.import_module(f"{__name__}.{name}") for name in names}
