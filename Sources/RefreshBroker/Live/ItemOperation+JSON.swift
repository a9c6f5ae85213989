package import RefreshProtocol

extension ItemOperation {
    /// Appends the JSON text of the operation. Source: docs/protocol.md, "Live items".
    package func append(to out: inout ByteBuffer) {
        switch kind {
        case .insert: out.append(literal: #"{"insert":"#)
        case .update: out.append(literal: #"{"update":"#)
        case .remove: out.append(literal: #"{"remove":"#)
        case .move: out.append(literal: #"{"move":"#)
        case .refresh: out.append(literal: #"{"refresh":"#)
        }
        switch kind {
        case .insert, .update: out.append(item)
        case .remove, .move, .refresh: out.append(key.text)
        }
        switch place {
        case .start: out.append(literal: #","at":"start""#)
        case .end: out.append(literal: #","at":"end""#)
        case .before(let neighbour):
            out.append(literal: #","before":"#)
            out.append(neighbour.text)
        case .after(let neighbour):
            out.append(literal: #","after":"#)
            out.append(neighbour.text)
        case nil: break
        }
        out.append(UInt8(ascii: "}"))
    }

    /// The number of bytes of the JSON text.
    package var jsonBytes: Int {
        let place =
            switch place {
            case .start: #","at":"start""#.utf8.count
            case .end: #","at":"end""#.utf8.count
            case .before(let neighbour): #","before":"#.utf8.count + neighbour.text.count
            case .after(let neighbour): #","after":"#.utf8.count + neighbour.text.count
            case nil: 0
            }
        let value = item.isEmpty ? key.text.count : item.count
        return #"{"":}"#.utf8.count + kind.rawValue.utf8.count + value + place
    }
}
