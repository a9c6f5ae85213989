internal import RefreshBroker
internal import RefreshProtocol
internal import Yams

/// Functions that read a value by its key. They return nil if the key is absent, or if the value is
/// invalid and was reported.
///
/// Ranges, choices and inner tables are defined in the table of the mapping
/// (`SettingsMapping.table`). An absent required key is reported, if it was not already reported
/// when the mapping was read. A test sets each key of each table to a wrong value. The test fails
/// if the code that reads the key uses a name or a shape that differs from the table.
extension SettingsReader {
    /// Returns the value without a check.
    mutating func value(_ name: String, in settings: SettingsMapping) -> Node? {
        if let node = settings[name] { return node }
        if let key = settings.table[name], key.isRequired { reportIfMissing(key, in: settings) }
        return nil
    }

    /// Returns an integer in the key's range. If `bound` is given, it is a second maximum: the
    /// value of another setting.
    mutating func integer(
        _ name: String, in settings: SettingsMapping, atMost bound: Int? = nil
    ) -> Int? {
        guard let key = settings.table[name] else { return nil }
        return integer(key, in: settings, atMost: bound)
    }

    /// Returns an integer for a key that the table of the mapping need not contain.
    mutating func integer(
        _ key: SettingsKey, in settings: SettingsMapping, atMost bound: Int? = nil
    ) -> Int? {
        guard let node = value(key.name, in: settings), case .integer(var range) = key.shape
        else { return nil }
        if let bound {
            range = range.clamped(to: range.lowerBound...max(range.lowerBound, bound))
        }
        return integer(node, key: settings.key(key.name), range: range)
    }

    mutating func boolean(_ name: String, in settings: SettingsMapping) -> Bool? {
        value(name, in: settings).flatMap { boolean($0, key: settings.key(name)) }
    }

    mutating func string(_ name: String, in settings: SettingsMapping) -> String? {
        value(name, in: settings).flatMap { string($0, key: settings.key(name)) }
    }

    mutating func choice<Value: RawRepresentable<String>>(
        _ name: String, in settings: SettingsMapping
    ) -> Value? {
        guard let node = value(name, in: settings),
            case .choice(let names)? = settings.table[name]?.shape
        else { return nil }
        return choice(node, key: settings.key(name), among: names)
    }

    // MARK: Lists

    /// Returns the items of a list; empty if the key is absent.
    mutating func list(_ name: String, in settings: SettingsMapping) -> [Node] {
        guard let node = value(name, in: settings),
            case .list(_, let orOne, _)? = settings.table[name]?.shape
        else { return [] }
        return list(node, key: settings.key(name), orOne: orOne)
    }

    /// Returns the texts of a list, without duplicates; nil if the key is absent. `check` returns
    /// what is wrong with a text, or nil. A text with a fault is reported and left out.
    mutating func texts(
        _ name: String, in settings: SettingsMapping,
        check: (String) -> String? = { _ in nil }
    ) -> [String]? {
        guard let node = value(name, in: settings) else { return nil }
        let key = settings.key(name)
        var texts: [String] = []
        for item in list(node, key: key) {
            guard let text = string(item, key: key) else { continue }
            if let objection = check(text) {
                report("`\(text)`: \(objection)", key: key, at: item)
            } else if texts.contains(text) {
                report("`\(text)` occurs twice", key: key, at: item)
            } else {
                texts.append(text)
            }
        }
        return texts
    }

    /// Returns the choices of a list without duplicates. An empty list is reported.
    mutating func choices<Value: RawRepresentable<String>>(
        _ name: String, in settings: SettingsMapping
    ) -> [Value] {
        guard let node = value(name, in: settings),
            case .list(.choice(let names), _, _)? = settings.table[name]?.shape
        else { return [] }
        let key = settings.key(name)
        let items = list(node, key: key)
        if case .sequence = node, items.isEmpty {
            let all = names.joined(separator: ", ")
            report("at least one of \(all) is required", key: key, at: node)
        }
        var choices: [Value] = []
        for item in items {
            guard let choice: Value = choice(item, key: key, among: names) else { continue }
            if choices.contains(where: { $0.rawValue == choice.rawValue }) {
                report("`\(choice.rawValue)` occurs twice", key: key, at: item)
            } else {
                choices.append(choice)
            }
        }
        return choices
    }

    /// Returns the numbers of a list; empty if the key is absent.
    mutating func numbers(_ name: String, in settings: SettingsMapping) -> [Double] {
        guard case .list(.number(let range), _, _)? = settings.table[name]?.shape else { return [] }
        let key = settings.key(name)
        return list(name, in: settings).compactMap { item in
            if case .scalar(let scalar) = item, scalar.style == .plain,
                case .number(let value)? = ParameterValue(scalar.string, as: .number),
                range ~= value
            {
                return value
            }
            let ends = [range.lowerBound, range.upperBound].map {
                Int(exactly: $0)?.description ?? $0.description
            }
            report("expected a number from \(ends[0]) to \(ends[1])", key: key, at: item)
            return nil
        }
    }

    // MARK: Tables

    /// Returns the entries of an inner table.
    mutating func table(_ name: String, in settings: SettingsMapping) -> SettingsMapping? {
        guard let node = value(name, in: settings),
            case .table(let table)? = settings.table[name]?.shape
        else { return nil }
        return mapping(node, key: settings.key(name), table: table)
    }

    /// Returns the entries of a mapping whose keys the operator chooses.
    mutating func named(_ name: String, in settings: SettingsMapping) -> SettingsMapping? {
        value(name, in: settings).flatMap { mapping($0, key: settings.key(name)) }
    }

    /// Returns the elements of a list of tables. `read` returns nil for an invalid table.
    /// `objection` compares an element with the elements before it. If the element repeats a value,
    /// `objection` returns the key of this value and a message, and the element is left out.
    mutating func tables<Element>(
        _ name: String, in settings: SettingsMapping,
        read: (SettingsMapping, inout SettingsReader) -> Element?,
        objection: (Element, [Element]) -> (key: String, message: String)? = { _, _ in nil }
    ) -> [Element] {
        guard case .list(.table(let table), _, _)? = settings.table[name]?.shape else { return [] }
        var elements: [Element] = []
        for (index, item) in list(name, in: settings).enumerated() {
            let key = "\(settings.key(name))[\(index)]"
            guard let inner = mapping(item, key: key, table: table),
                let element = read(inner, &self)
            else { continue }
            if let (name, message) = objection(element, elements) {
                report(message, key: inner.key(name), at: inner[name] ?? item)
            } else {
                elements.append(element)
            }
        }
        return elements
    }
}
