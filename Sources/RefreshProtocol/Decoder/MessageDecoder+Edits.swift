/// The messages `edit` and `undo`. Source: docs/protocol.md, "Edits".
///
/// The names of their fields belong to `OptionField`. The fields are therefore read in a second
/// pass over their object. The first pass has counted them as unknown.
extension MessageDecoder {
    func edit(in frame: Span<UInt8>) throws(Fault) -> ItemEdit {
        let fields = try editFields([.edit, .operation, .delayMs, .repeated], in: frame)
        let name = try editName(fields, in: frame)
        guard let operation = fields[.operation], operation.kind != .null else {
            throw Fault(.missingField, option: .operation)
        }
        try checkOperation(operation, in: frame)
        let delayMs = try fields[.delayMs].flatMap { token throws(Fault) in
            try whole(token, in: 0...ItemEdit.delayMsMax, .delayMs)
        }
        let repeated = fields[.repeated].flatMap { $0.kind == .null ? nil : $0 }
        if let repeated, repeated.kind != .bool { throw Fault(.invalidField, option: .repeated) }
        return ItemEdit(
            name: name,
            operation: bytes(of: frame, at: Int(operation.start)..<Int(operation.end)),
            delayMs: delayMs ?? 0, isRepeated: repeated?.number == 1)
    }

    /// The name of the edit that an `undo` message concerns.
    func undoneEdit(in frame: Span<UInt8>) throws(Fault) -> String {
        try editName(try editFields([.edit], in: frame), in: frame)
    }

    /// The name of the edit, if the message has a valid one.
    func nameOfEdit(in frame: Span<UInt8>) -> String? {
        guard let fields = try? featureFields(at: objectStart, in: frame) else { return nil }
        return try? editName(fields, in: frame)
    }

    private func editFields(
        _ own: [OptionField], in frame: Span<UInt8>
    ) throws(Fault) -> NameTable<OptionField> {
        let fields = try featureFields(at: objectStart, in: frame)
        table.ignored.unknownFields &-= fields.count { own.contains($0) }
        return fields
    }

    private func editName(
        _ fields: NameTable<OptionField>, in frame: Span<UInt8>
    ) throws(Fault) -> String {
        guard let token = fields[.edit], token.kind != .null else {
            throw Fault(.missingField, option: .edit)
        }
        guard token.kind == .string, case let name = token.text(in: frame), ItemEdit.isName(name)
        else { throw Fault(.invalidField, option: .edit) }
        return name
    }

    /// Checks the form of an operation: its kind, its place, and the types of its keys.
    private func checkOperation(_ token: FieldToken, in frame: Span<UInt8>) throws(Fault) {
        guard token.kind == .object else { throw Fault(.invalidField, option: .operation) }
        guard token.end - token.start <= UInt32(ItemEdit.operationBytesMax) else {
            throw Fault(.valueOutOfRange, option: .operation)
        }
        var scanner = JSONScanner(frame, from: Int(token.start), limits: jsonLimits)
        let members: NameTable<OperationMember>
        do throws(FaultCode) {
            members = try NameTable(
                reading: &scanner, vocabulary.operationMembers, depth: 2)
        } catch {
            throw Fault(error, option: .operation)
        }
        let kinds = OperationMember.kinds.filter { members[$0] != nil }
        guard kinds.count == 1, let kind = kinds.first, let value = members[kind],
            Self.isValid(value, of: kind, in: frame),
            hasValidPlace(members, of: kind, in: frame)
        else { throw Fault(.invalidField, option: .operation) }
    }

    private func hasValidPlace(
        _ members: NameTable<OperationMember>, of kind: OperationMember, in frame: Span<UInt8>
    ) -> Bool {
        let places = OperationMember.places.filter { members[$0] != nil }
        guard kind == .insert || kind == .move else { return places.isEmpty }
        guard places.count == 1, let place = places.first, let value = members[place] else {
            return false
        }
        return Self.isValid(value, of: place, in: frame)
    }

    private static func isValid(
        _ value: FieldToken, of member: OperationMember, in frame: Span<UInt8>
    ) -> Bool {
        switch member {
        case .insert, .update: value.kind == .object || value.kind == .array
        case .remove, .move, .refresh, .before, .after:
            value.kind == .string || value.kind == .number
        case .at: value.kind == .string && ["start", "end"].contains(value.text(in: frame))
        }
    }
}
