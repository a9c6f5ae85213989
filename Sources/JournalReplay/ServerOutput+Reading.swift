internal import RefreshProtocol

extension ServerOutput {
    /// Returns the outputs in a frame from the server, in order. `number` is the number of the
    /// frame.
    static func all(in frame: String, number: Int) -> [ServerOutput] {
        guard let value = try? JSONValue(parsing: frame) else {
            return [
                ServerOutput(
                    view: "", subject: "frame", durability: .persistent, value: .string(frame),
                    path: "$",
                    messagePath: "$", frame: number)
            ]
        }
        guard case .array(let messages) = value else { return parse(value, at: "$", number) }
        return messages.enumerated().flatMap { parse($1, at: "$[\($0)]", number) }
    }

    /// Returns the output for a close of the connection by the server, with this code.
    static func connectionClose(_ code: UInt16?, number: Int) -> ServerOutput {
        let value = JSONValue.object([
            .init("code", code.map { .number(Double($0)) } ?? .null)
        ])
        return ServerOutput(
            view: "", subject: "close", durability: .persistent, value: value, path: "$",
            messagePath: "$", frame: number)
    }

    private static func parse(_ message: JSONValue, at path: String, _ number: Int)
        -> [ServerOutput]
    {
        let type = message["type"]?.string ?? ""
        var output = ServerOutput(
            view: message["view"]?.string ?? "", subject: type, durability: .persistent,
            value: message,
            path: path, messagePath: path, ack: message["ack"]?.number,
            load: message["load"]?.string, generation: message["generation"]?.number,
            frame: number)
        switch type {
        case "welcome": output.value = message.only(["protocol", "resumed", "reason"])
        case "attached": output.value = attached(message)
        case "update": return updateParts(message, output)
        case "load": output.value = message.without(["type", "view", "load"])
        case "loading":
            guard !["progress", "retrying"].contains(message["phase"]?.string) else { return [] }
            output.value = message.without(["type", "view", "load", "message", "retryAfterMs"])
        case "items": output.value = message.without(["type", "view", "load"])
        case "error":
            output.value = message.only(["code", "field", "seq", "view", "temporary"])
        case "pong": output.value = message.only(["t"])
        case "bye", "draining": output.value = .object([])
        // Messages with a snapshot are not compared, because a snapshot is encrypted: two snapshots
        // of the same state differ. Unknown messages are ignored, because clients ignore them too.
        default: return []
        }
        return [output]
    }

    private static let edges = ["top", "bottom", "leading", "trailing"]

    private static func attached(_ message: JSONValue) -> JSONValue {
        var value = message.without(["type", "view", "ack", "generation", "law"])
        for edge in edges {
            value[edge] = value[edge]?.without(["frame", "programme"])
        }
        return value
    }

    /// Splits an update into its parts, in a fixed order that does not depend on the order of its
    /// members.
    private static func updateParts(_ message: JSONValue, _ whole: ServerOutput) -> [ServerOutput] {
        var outputs: [ServerOutput] = []
        func appendPart(
            _ name: String, _ matter: Durability, _ value: JSONValue, at step: String? = nil
        ) {
            var output = whole
            output.subject = name
            output.durability = matter
            output.value = value
            output.path += step ?? JSONDifference.pathStep(to: name)
            outputs.append(output)
        }
        appendPart("update", .ackOnly, .null, at: "")
        for name in edges + ["floor"] {
            guard let edge = message[name] else { continue }
            let state = edge.only(["state", "cause", "result"])
            if state != .object([]) { appendPart(name, .replaceable, state) }
            if let progress = edge["progress"] {
                appendPart("\(name).progress", .fingerFollowing, progress, at: ".\(name).progress")
            }
        }
        if let inset = message["inset"] {
            appendPart("inset", .replaceable, inset.without(["start"]))
        }
        if let offset = message["offset"] {
            if offset["duration"]?.number ?? 0 <= 0 {
                appendPart("offset", .fingerFollowing, offset.only(["to"]))
            } else {
                let isPath = offset["path"] != nil
                appendPart(
                    "offset", .replaceable,
                    offset.only(isPath ? ["to"] : ["to", "duration", "curve"]))
                if let start = offset["start"]?.number, let duration = offset["duration"]?.number {
                    outputs[outputs.count - 1].movementEnd = start + duration
                }
            }
        }
        for name in ["haptic", "announce"] {
            for (index, cue) in (message[name]?.array ?? []).enumerated() {
                appendPart(name, .persistent, cue, at: ".\(name)[\(index)]")
            }
        }
        for name in ["newer", "list"] {
            if let value = message[name] { appendPart(name, .replaceable, value) }
        }
        if let time = message["lastUpdated"] {
            appendPart("lastUpdated", .replaceable, time == .null ? .null : .string("a time"))
        }
        return outputs
    }
}

extension JSONValue {
    /// Returns an object with only the members of these names, in the order of the names.
    fileprivate func only(_ names: [String]) -> JSONValue {
        .object(names.compactMap { name in self[name].map { Member(name, $0) } })
    }

    /// Returns the object without the members of these names.
    fileprivate func without(_ names: [String]) -> JSONValue {
        guard case .object(let members) = self else { return self }
        return .object(members.filter { !names.contains($0.name) })
    }
}
