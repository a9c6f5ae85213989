"""The generator of the types of the client packages: the contract, its reader, and one emitter for each language."""
