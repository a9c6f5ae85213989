internal import RefreshProtocol
internal import ScenarioKit

/// The part of a server's message that is the same each time the session is repeated: states,
/// causes, results, commands and numbers of items. Source: docs/refresh-probe.md, "Scenarios from
/// journals".
struct ExpectedMessage {
    /// The view; empty if the message is not about a view.
    var view: String
    /// The message in the form of an expectation: its type, its view, and a pattern.
    var text: String

    /// The names of variables, for identifiers that the client uses later.
    struct Names {
        /// By view and load.
        var loads: [[String]: String] = [:]
        /// By view and generation.
        var generations: [[String]: String] = [:]
    }

    static let edges = ["top", "bottom", "leading", "trailing"]

    /// The tolerance of positions and sizes, in points. It is that of a replay.
    static let tolerance = 0.01

    /// Creates the expectation of a message. Nil if nothing in the message is expected.
    init?(_ message: JSONValue, _ names: Names) {
        let type = message["type"]?.string ?? ""
        view = message["view"]?.string ?? ""
        guard let fields = Self.fields(of: type, message, view, names) else { return nil }
        text = type
        if !view.isEmpty { text += " " + ScenarioText.word(view) }
        if !fields.isEmpty { text += " " + ScenarioText.pattern(.object(fields)) }
    }

    private static func fields(
        of type: String, _ message: JSONValue, _ view: String, _ names: Names
    ) -> [Pattern.Field]? {
        func scalars(_ wanted: [String]) -> [Pattern.Field] { Self.scalars(wanted, of: message) }
        switch type {
        case "welcome": return scalars(["protocol", "resumed", "reason"])
        case "attached": return attached(message, view, names)
        case "update": return update(message)
        case "items":
            return scalars(["mode", "count", "page", "more"]) + load(message, view, names)
        case "load":
            return scalars(["kind", "trigger", "cause", "page"]) + load(message, view, names)
        case "loading":
            guard !["progress", "retrying"].contains(message["phase"]?.string) else { return nil }
            return scalars(["kind", "phase", "trigger", "cause", "page", "code"])
                + load(message, view, names)
        case "error": return scalars(["code", "field", "temporary"])
        case "diagnostic": return scalars(["code"])
        case "bye": return []
        default: return nil
        }
    }

    private static func attached(
        _ message: JSONValue, _ view: String, _ names: Names
    ) -> [Pattern.Field] {
        var fields = scalars(["profile", "axis", "reversed"], of: message)
        for edge in edges {
            if let value = message[edge] {
                let wanted = ["role", "state", "enabled", "trigger", "length"]
                fields.append(Pattern.Field(edge, .object(scalars(wanted, of: value))))
            } else if edge == "top" || edge == "bottom", message["leading"] == nil {
                fields.append(Pattern.Field(edge, .absent))
            }
        }
        if let generation = message["generation"],
            let name = names.generations[[view, generation.text]]
        {
            fields.append(Pattern.Field("generation", .capture(name)))
        }
        return fields
    }

    /// Returns nil if the update has no state. Insets and commands at the end of a load depend on
    /// the time that the load has taken: a fast load ends before its inset was opened.
    private static func update(_ message: JSONValue) -> [Pattern.Field]? {
        var fields: [Pattern.Field] = []
        var endsLoad = false
        for name in edges + ["floor"] {
            let state = scalars(["state", "cause", "result"], of: message[name] ?? .null)
            if !state.isEmpty { fields.append(Pattern.Field(name, .object(state))) }
            endsLoad = endsLoad || message[name]?["result"] != nil
        }
        if !fields.isEmpty, !endsLoad {
            fields += [inset(message), offset(message)].compactMap(\.self)
        }
        if let list = list(message) { fields.append(list) }
        if let haptic = message["haptic"] {
            fields.append(Pattern.Field("haptic", Pattern(haptic)))
        }
        return fields.isEmpty ? nil : fields
    }

    /// Returns the insets of a message or of a state.
    static func inset(_ message: JSONValue) -> Pattern.Field? {
        let shares = (edges + ["left", "right"]).compactMap { name -> Pattern.Field? in
            message["inset"]?[name]?.number.map { Pattern.Field(name, near($0)) }
        }
        return shares.isEmpty ? nil : Pattern.Field("inset", .object(shares))
    }

    /// Returns the target of a command that moves the list. An offset without a duration follows
    /// the finger.
    static func offset(_ message: JSONValue) -> Pattern.Field? {
        guard let offset = message["offset"], offset["duration"]?.number ?? 0 > 0,
            let target = offset["to"]?.number
        else { return nil }
        return Pattern.Field("offset", .object([Pattern.Field("to", near(target))]))
    }

    /// Returns the number of items in the list.
    static func list(_ message: JSONValue) -> Pattern.Field? {
        let fields = scalars(["count", "more"], of: message["list"] ?? .null)
        return fields.isEmpty ? nil : Pattern.Field("list", .object(fields))
    }

    private static func near(_ number: Double) -> Pattern {
        .near(Amount([Amount.Term(.number(number))]), tolerance: tolerance)
    }

    /// Returns the members of these names whose values are texts, numbers or booleans.
    static func scalars(_ names: [String], of value: JSONValue) -> [Pattern.Field] {
        names.compactMap { name in
            switch value[name] {
            case nil, .array, .object: nil
            case .some(let scalar): Pattern.Field(name, .value(scalar))
            }
        }
    }

    private static func load(
        _ message: JSONValue, _ view: String, _ names: Names
    ) -> [Pattern.Field] {
        guard let load = message["load"]?.string, let name = names.loads[[view, load]] else {
            return []
        }
        return [Pattern.Field("load", .capture(name))]
    }
}
