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
}
