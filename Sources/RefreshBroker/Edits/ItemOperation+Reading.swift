package import RefreshProtocol

extension ItemOperation {
    /// Reads the JSON text of one operation. `itemKey` is the location of the key in an item.
    /// Returns nil if the text is not an operation, or if one of its keys is missing or is neither
    /// a string without escapes nor an integer of at most 15 digits.
    package init?(
        reading text: [UInt8], at itemKey: JSONPointer, hashedBy function: SipHash
    ) {
        let list = [UInt8(ascii: "[")] + text + [UInt8(ascii: "]")]
        guard
            let operations = try? OperationReader(itemKey: itemKey, hash: function, isEdit: true)
                .operations(at: list.indices, in: list.span),
            operations.count == 1
        else { return nil }
        self = operations[0]
    }

    /// Returns whether a feed that accepts `kinds` as edits accepts the operation. The item must
    /// have the key of the operation at `itemKey`. It has another key there if the configuration
    /// was reloaded after the operation was read.
    package func isAccepted(asOneOf kinds: Set<Kind>, itemKey: JSONPointer?) -> Bool {
        guard let itemKey, kinds.contains(kind) else { return false }
        guard !item.isEmpty else { return true }
        let range = ItemKeys.keyRange(ofItemAt: item.indices, in: item.span, at: itemKey)
        return range.map { item[$0].elementsEqual(key.text) } == true
    }
}
