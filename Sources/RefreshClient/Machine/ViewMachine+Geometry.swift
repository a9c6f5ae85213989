import RefreshProtocol

/// How a view is attached, and the present sizes in the body of its `attach`.
extension ViewMachine {
    enum Attachment: Hashable, Sendable {
        case inHello
        case byMessage(seq: UInt64)
    }

    /// Merges the sizes of a `geometry` message into the body.
    mutating func mergeGeometry(_ message: JSONValue) {
        guard message["type"]?.string == "geometry", case .object(let members) = message else {
            return
        }
        var geometry = body["geometry"] ?? .object([])
        for member in members {
            switch member.name {
            case "viewport", "content", "insets", "safeArea", "bars":
                geometry[member.name] = Self.merged(geometry[member.name], member.value)
            case "direction", "scale", "anchor": geometry[member.name] = member.value
            default: break
            }
        }
        body["geometry"] = geometry
    }

    static func merged(_ old: JSONValue?, _ new: JSONValue) -> JSONValue {
        guard case .object(let members) = new, case .object? = old, var result = old else {
            return new
        }
        for member in members { result[member.name] = merged(result[member.name], member.value) }
        return result
    }
}
