extension ItemOperation.Key {
    /// Creates a key whose hash is known.
    package init(_ text: [UInt8], hash: UInt64) {
        self.text = text
        self.hash = hash
    }
}

extension ItemOperation {
    /// Creates an operation whose hashes are known.
    package init(
        _ kind: Kind, _ key: Key, at place: Place?, item: [UInt8], contentHash: UInt64
    ) {
        self.kind = kind
        self.key = key
        self.place = place
        self.item = item
        self.contentHash = contentHash
    }
}
