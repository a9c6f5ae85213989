"""The error of the generator."""


class ContractError(Exception):
    """The contract has a part that the generator does not know, or lacks a part that the generator needs."""
