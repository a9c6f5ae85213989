internal import RefreshProtocol

/// Reads the operations of a report. The items keep their bytes.
struct OperationReader {
    let itemKey: JSONPointer
    let hash: SipHash
    /// Whether the operation is an edit, which can be `refresh`.
    var isEdit = false

    /// The members of an operation.
    private enum Name: String {
        case insert, update, remove, move, refresh, at, before, after

        var kind: ItemOperation.Kind? { ItemOperation.Kind(rawValue: rawValue) }
    }

    /// Reads the array at `range`.
    func operations(
        at range: Range<Int>, in report: Span<UInt8>
    ) throws(ChangeReportFault) -> [ItemOperation] {
        var scanner = JSONScanner(report, from: range.lowerBound, limits: Page.jsonLimits)
        guard scanner.consumeByte(UInt8(ascii: "[")), !scanner.consumeByte(UInt8(ascii: "]")) else {
            throw .malformed("operations", "is not an array of operations")
        }
        var operations: [ItemOperation] = []
        repeat {
            guard operations.count < ItemChange.operationsMax else {
                throw .malformed(
                    "operations", "has more than \(ItemChange.operationsMax) operations")
            }
            operations.append(try operation(&scanner, "operations[\(operations.count)]"))
        } while scanner.consumeByte(UInt8(ascii: ","))
        return operations
    }

    /// Consumes one operation. `path`: its name in the text of a fault.
    private func operation(
        _ scanner: inout JSONScanner, _ path: String
    ) throws(ChangeReportFault) -> ItemOperation {
        var values: [(name: Name, range: Range<Int>)] = []
        do throws(FaultCode) {
            try scanner.readMembers { (name, scanner) throws(FaultCode) in
                let range = try scanner.skipValue(depth: 1, allowingUnderflow: true)
                if let name = Name(rawValue: name) { values.append((name, range)) }
            }
        } catch {
            throw .malformed(path, "is not an object")
        }
        let kinds = values.filter { $0.name.kind != nil }
        guard kinds.count == 1, let value = kinds.first, let kind = value.name.kind,
            isEdit || kind != .refresh
        else {
            throw .malformed(path, "must have one of insert, update, remove and move, once")
        }
        let bytes = scanner.bytes
        let place = try place(
            values.filter { $0.name.kind == nil }, isNeeded: kind == .insert || kind == .move,
            in: bytes, path)
        let name = "\(path).\(kind.rawValue)"
        let hasItem = kind == .insert || kind == .update
        let key =
            try hasItem
            ? keyOfItem(at: value.range, in: bytes, name)
            : key(at: value.range, in: bytes, name)
        switch place {
        case .before(key), .after(key):
            throw .malformed(path, "names the item as its own neighbour")
        case .start, .end, .before, .after, nil: break
        }
        return ItemOperation(
            kind, key, at: place, item: hasItem ? bytes.bytes(in: value.range) : [],
            hashedBy: hash)
    }

    private func place(
        _ values: [(name: Name, range: Range<Int>)], isNeeded: Bool, in bytes: Span<UInt8>,
        _ path: String
    ) throws(ChangeReportFault) -> ItemOperation.Place? {
        guard isNeeded else {
            guard values.isEmpty else { throw .malformed(path, "must not have a place") }
            return nil
        }
        guard values.count == 1, let value = values.first else {
            throw .malformed(path, "must have one of at, before and after, once")
        }
        let name = "\(path).\(value.name.rawValue)"
        switch value.name {
        case .before: return .before(try key(at: value.range, in: bytes, name))
        case .after: return .after(try key(at: value.range, in: bytes, name))
        default:
            switch String(decoding: bytes.bytes(in: value.range), as: UTF8.self) {
            case #""start""#: return .start
            case #""end""#: return .end
            default: throw .malformed(name, "is neither \"start\" nor \"end\"")
            }
        }
    }

    private func keyOfItem(
        at range: Range<Int>, in bytes: Span<UInt8>, _ name: String
    ) throws(ChangeReportFault) -> ItemOperation.Key {
        guard let place = ItemKeys.keyRange(ofItemAt: range, in: bytes, at: itemKey) else {
            throw .malformed(name, "has no key at \"\(itemKey.text)\"")
        }
        return try key(at: place, in: bytes, name)
    }

    private func key(
        at range: Range<Int>, in bytes: Span<UInt8>, _ name: String
    ) throws(ChangeReportFault) -> ItemOperation.Key {
        guard ItemKeys.isPlain(range, in: bytes) else {
            throw .malformed(
                name,
                "has a key that is neither a string without escapes nor an integer of at most"
                    + " 15 digits")
        }
        return ItemOperation.Key(bytes.bytes(in: range), hashedBy: hash)
    }
}
