/// The values that are permitted at one place of a configuration file.
///
/// The code that reads a configuration file (`SettingsReader`) uses the keys, ranges and choices of
/// the shape. The features that need a list of all keys also use the shape. These are the
/// environment, the printed configuration, the differences of a reload, and the schema for editors.
/// The code that reads a file additionally checks the rules that concern several keys, and the
/// syntax of texts.
indirect enum SettingsShape: Sendable {
    case integer(ClosedRange<Int>)
    case number(ClosedRange<Double>)
    case boolean
    /// A text that is not empty. A pattern (ECMA 262) can restrict it.
    case text(pattern: String? = nil)
    case choice([String])
    /// A list. If `orOne` is true, a single value counts as a list of one element.
    case list(SettingsShape, orOne: Bool = false, isNeverEmpty: Bool = false)
    /// A mapping with these keys.
    case table([SettingsKey])
    /// A mapping whose names the operator chooses. All its values have the same shape.
    case named(SettingsShape, pattern: String? = nil)
    /// A value that has one of these shapes.
    case either([SettingsShape])
    /// Any value, which is passed on as JSON.
    case json

    /// Whether one environment variable can set the value.
    var isScalar: Bool {
        switch self {
        case .integer, .number, .boolean, .text, .choice: true
        case .list, .table, .named, .either, .json: false
        }
    }
}

/// One key of a table of a configuration file, with all its properties. The properties are defined
/// only here.
struct SettingsKey: Sendable {
    /// The form in which logs and the printed configuration show a value.
    enum Secrecy: Sendable {
        case open
        /// The value is not shown.
        case hidden
        /// A URL, which is shown without user and password, and without the literal text of path
        /// and query. Logs omit path and query completely.
        case address
        /// Only the names of the members are shown.
        case hiddenValues
    }

    let name: String
    var shape: SettingsShape
    var isRequired = false
    var secrecy = Secrecy.open
    /// A short description for the schema and the manual page.
    var meaning: String?
    /// The default value, as JSON on one line. It is nil if there is no default, or if the default
    /// depends on other settings. If it depends on other settings, `meaning` describes the default.
    var standard: String?
    /// Whether a change takes effect only after a restart. If the key has a table, this applies to
    /// all keys of the table. Source: docs/operations.md, "Reload".
    var needsRestart = false

    init(
        _ name: String, _ shape: SettingsShape, isRequired: Bool = false,
        secrecy: Secrecy = .open, meaning: String? = nil, standard: String? = nil,
        needsRestart: Bool = false
    ) {
        self.name = name
        self.shape = shape
        self.isRequired = isRequired
        self.secrecy = secrecy
        self.meaning = meaning
        self.standard = standard
        self.needsRestart = needsRestart
    }

    /// The same key, but not required.
    var optional: SettingsKey {
        var key = self
        key.isRequired = false
        return key
    }

    /// Returns the same key with another shape.
    func shaped(_ shape: SettingsShape) -> SettingsKey {
        var key = self
        key.shape = shape
        return key
    }
}

extension [SettingsKey] {
    subscript(name: String) -> SettingsKey? { first { $0.name == name } }

    /// The keys of the table and of its inner tables, each with its path. A list of tables is one
    /// key, and so is a mapping whose names the operator chooses.
    var leaves: [(path: [String], key: SettingsKey)] { leaves(at: []) }

    /// The names of the keys with `needsRestart`, such as `log.format`. If a key with a table has
    /// it, the result contains this key, and none of its table.
    var namesWithRestart: [String] {
        flatMap { key -> [String] in
            if key.needsRestart { return [key.name] }
            guard case .table(let keys) = key.shape else { return [] }
            return keys.namesWithRestart.map { "\(key.name).\($0)" }
        }
    }

    private func leaves(at path: [String]) -> [(path: [String], key: SettingsKey)] {
        flatMap { key -> [(path: [String], key: SettingsKey)] in
            let path = path + [key.name]
            if case .table(let keys) = key.shape { return keys.leaves(at: path) }
            return [(path, key)]
        }
    }
}
