internal import RefreshProtocol
internal import Yams

/// Reads values from a YAML tree and collects every problem that it finds. See
/// docs/decisions/0019-configuration-over-yams.md.
struct SettingsReader {
    let file: String
    /// The problems in the order in which they were found, without duplicates.
    private(set) var problems: [ConfigurationProblem] = []
    private var reported: Set<ConfigurationProblem> = []

    /// For each full key that the environment sets, the environment variable.
    private let variables: [String: String]

    init(file: String, variables: [String: String] = [:]) {
        self.file = file
        self.variables = variables
    }

    func location(of node: Node) -> ConfigurationProblem.Location {
        ConfigurationProblem.Location(
            file: file, line: node.mark?.line ?? 1, column: node.mark?.column ?? 1)
    }

    mutating func report(_ message: String, key: String, at node: Node) {
        let problem =
            if let variable = variables[key] {
                ConfigurationProblem(key: variable, message)
            } else if file.isEmpty {
                ConfigurationProblem(key: key, message)
            } else {
                ConfigurationProblem(at: location(of: node), key: key, message)
            }
        // If several feeds inherit a value from one backend, the value is read once for each feed,
        // but its problem is reported once.
        if reported.insert(problem).inserted { problems.append(problem) }
    }

    /// Reports a problem in another file.
    mutating func report(_ message: String) {
        problems.append(ConfigurationProblem(message))
    }

    /// Returns the entries of a mapping. First reports the keys that are not in `table`, and then
    /// the required keys that are absent. Problems of the whole mapping are reported at `place`.
    mutating func mapping(
        _ node: Node, key: String, table: [SettingsKey], at place: Node? = nil
    ) -> SettingsMapping? {
        guard var settings = mapping(node, key: key, at: place) else { return nil }
        settings.table = table
        reportUnknown(in: settings)
        for key in table where key.isRequired { reportIfMissing(key, in: settings) }
        return settings
    }

    /// Reports the keys of a mapping that are not in its table. `reason` may return a message that
    /// replaces the usual hint.
    mutating func reportUnknown(
        in settings: SettingsMapping, reason: (String) -> String? = { _ in nil }
    ) {
        let known = settings.table.map(\.name)
        for entry in settings.entries where !known.contains(entry.name) {
            report(
                reason(entry.name) ?? "unknown key; \(Self.hint(for: entry.name, among: known))",
                key: entry.key, at: entry.keyNode)
        }
    }

    private static func hint(for name: String, among known: [String]) -> String {
        SpellingSuggestion.suggestion(for: name, among: known).map { "did you mean `\($0)`?" }
            ?? "known keys: \(known.joined(separator: ", "))"
    }

    /// Reports a key that is absent.
    mutating func reportIfMissing(_ key: SettingsKey, in settings: SettingsMapping) {
        guard settings[key.name] == nil else { return }
        report("`\(key.name)` is missing", key: settings.path, at: settings.node)
    }

    /// Returns the entries of a mapping whose keys the operator chooses.
    mutating func mapping(_ node: Node, key: String, at place: Node? = nil) -> SettingsMapping? {
        guard case .mapping(let mapping) = node else {
            report("expected a mapping, found \(Self.form(of: node))", key: key, at: node)
            return nil
        }
        var entries: [SettingsMapping.Entry] = []
        for (name, value) in mapping {
            guard case .scalar(let scalar) = name else {
                report("a key must be a scalar", key: key, at: name)
                continue
            }
            entries.append(
                SettingsMapping.Entry(
                    name: scalar.string, keyNode: name, value: value, path: key))
        }
        return SettingsMapping(node: place ?? node, path: key, entries: entries)
    }

    mutating func integer(_ node: Node, key: String, range: ClosedRange<Int>) -> Int? {
        guard case .scalar(let scalar) = node, scalar.style == .plain,
            let value = Int(scalar.string), !scalar.string.hasPrefix("+")
        else {
            report("expected an integer, found \(Self.kind(of: node))", key: key, at: node)
            return nil
        }
        guard range.contains(value) else {
            report(
                "\(value) is out of range; \(range.lowerBound) to \(range.upperBound)", key: key,
                at: node)
            return nil
        }
        return value
    }

    mutating func boolean(_ node: Node, key: String) -> Bool? {
        if case .scalar(let scalar) = node, scalar.style == .plain,
            let value = Bool(scalar.string)
        {
            return value
        }
        report("expected true or false, found \(Self.kind(of: node))", key: key, at: node)
        return nil
    }

    mutating func string(_ node: Node, key: String) -> String? {
        if case .scalar(let scalar) = node, !scalar.string.isEmpty { return scalar.string }
        report("expected a string, found \(Self.form(of: node))", key: key, at: node)
        return nil
    }

    /// Returns a text. Only a text in quotes may be empty.
    mutating func scalar(_ node: Node, key: String) -> String? {
        if case .scalar(let scalar) = node, scalar.style != .plain { return scalar.string }
        return string(node, key: key)
    }

    /// Returns the value whose name is the text of the node. The name must be one of `names`.
    mutating func choice<Value: RawRepresentable<String>>(
        _ node: Node, key: String, among names: [String]
    ) -> Value? {
        guard let text = string(node, key: key) else { return nil }
        if names.contains(text), let value = Value(rawValue: text) { return value }
        let hint = SpellingSuggestion.suggestion(for: text, among: names).map {
            "; did you mean `\($0)`?"
        }
        report(
            "`\(text)` is not one of \(names.joined(separator: ", "))\(hint ?? "")", key: key,
            at: node)
        return nil
    }

    /// Returns the elements of a list. If `orOne` is true, a single value counts as a list of one
    /// element.
    mutating func list(_ node: Node, key: String, orOne: Bool = false) -> [Node] {
        if case .sequence(let sequence) = node { return Array(sequence) }
        if orOne, case .scalar(let scalar) = node, !scalar.string.isEmpty { return [node] }
        report("expected a list, found \(Self.form(of: node))", key: key, at: node)
        return []
    }

    /// Returns the text of a scalar, or the form of a value that is not a scalar. It must not be
    /// called for a value that can be a secret.
    private static func kind(of node: Node) -> String {
        switch node {
        case .scalar(let scalar) where scalar.string.isEmpty: "nothing"
        case .scalar(let scalar) where scalar.style == .plain: "`\(scalar.string)`"
        case .scalar(let scalar): "\"\(scalar.string)\""
        default: form(of: node)
        }
    }

    /// Returns the form of a value (such as `a list`), never its text. The operator may have
    /// written a secret in place of a list or mapping.
    private static func form(of node: Node) -> String {
        switch node {
        case .scalar(let scalar) where scalar.string.isEmpty: "nothing"
        case .scalar: "a string"
        case .mapping: "a mapping"
        case .sequence: "a list"
        case .alias: "an alias"
        }
    }
}
