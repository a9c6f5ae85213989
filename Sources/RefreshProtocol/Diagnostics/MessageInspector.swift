/// Finds the ignored members of a message, for clients that request diagnostics.
///
/// The inspector reads the message again, name by name, because the decoder only counts ignored
/// members. Source: docs/protocol.md, "diagnostic".
package struct MessageInspector {
    /// The first findings, in the order of the message.
    package private(set) var diagnostics: [Diagnostic] = []
    /// The total number of findings.
    package private(set) var count = 0
    private let diagnosticsMax: Int
    private let seq: UInt64?
    /// Only the first findings of each message, at most this number, can get a suggestion. There is
    /// a maximum because the search takes time.
    private static let suggestionsMax = 8

    /// Inspects the well-formed message of `type` that begins at `start` of the frame. `seq` is the
    /// message's sequence number. At most `most` findings are kept. `features` are those of the
    /// client.
    package init(
        _ type: MessageType, in frame: Span<UInt8>, at start: Int, seq: UInt64? = nil,
        features: ClientFeatures? = nil, most: Int
    ) {
        self.diagnosticsMax = most
        self.seq = seq
        guard let members = KnownMembers.members(of: type, with: features) else { return }
        var scanner = JSONScanner(frame, from: start, limits: .generous)
        // If the input cannot be read, there are no findings.
        try? inspectObject(&scanner, members, path: "")
    }

    /// Inspects the object at the scanner's position; any other value is skipped.
    private mutating func inspectObject(
        _ scanner: inout JSONScanner, _ members: KnownMembers, path: String
    ) throws(FaultCode) {
        scanner.skipSpace()
        guard scanner.peek == 0x7B else {
            _ = try scanner.skipValue(depth: 0)
            return
        }
        let first = diagnostics.count
        var view: ViewID?
        try scanner.expect(0x7B)
        if scanner.consumeByte(0x7D) { return }
        repeat {
            scanner.skipSpace()
            let name = try scanner.readString().text(in: scanner.bytes)
            try scanner.expect(0x3A)
            scanner.skipSpace()
            if !members.names.contains(name) {
                recordIgnored(name, members, path)
                _ = try scanner.skipValue(depth: 0)
            } else if name == Field.view.wireName, scanner.peek == 0x22 {
                view = ViewID(try scanner.readString().text(in: scanner.bytes))
            } else if let inner = members.inner[name] {
                try inspectValue(&scanner, inner, path: path + name + ".")
            } else {
                _ = try scanner.skipValue(depth: 0)
            }
        } while scanner.consumeByte(0x2C)
        try scanner.expect(0x7D)
        guard let view else { return }
        for index in diagnostics.indices.dropFirst(first) where diagnostics[index].view == nil {
            diagnostics[index].view = view
        }
    }

    /// Inspects an object, or each object of an array. If a finding is in an object of an array,
    /// the path of the finding begins at that object.
    private mutating func inspectValue(
        _ scanner: inout JSONScanner, _ members: KnownMembers, path: String
    ) throws(FaultCode) {
        guard scanner.consumeByte(0x5B) else {
            return try inspectObject(&scanner, members, path: path)
        }
        if scanner.consumeByte(0x5D) { return }
        repeat {
            try inspectObject(&scanner, members, path: "")
        } while scanner.consumeByte(0x2C)
        try scanner.expect(0x5D)
    }

    private mutating func recordIgnored(_ name: String, _ members: KnownMembers, _ path: String) {
        count += 1
        guard diagnostics.count < diagnosticsMax else { return }
        let isFixed = members.fixed.contains(name)
        // A long name is hardly a spelling mistake, and its comparison with the known names would
        // take long.
        let isShort =
            name.utf8.count <= Diagnostic.nameCharactersMax
            && diagnostics.count < Self.suggestionsMax
        diagnostics.append(
            Diagnostic(
                isFixed ? .notConfigurable : members.isOptions ? .unknownOption : .unknownField,
                seq: seq, field: path + Diagnostic.sanitized(name),
                suggestion: isFixed || !isShort
                    ? nil : SpellingSuggestion.suggestion(for: name, among: members.names)))
    }
}
