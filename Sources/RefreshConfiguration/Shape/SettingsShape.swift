/// The values that are permitted at one place of a configuration file.
///
/// The readers decide what is valid. The shape describes the same without reading, for everything
/// that lists all keys: the environment, the printed configuration, the differences of a reload,
/// and the schema for editors. Tests check that the two agree.
indirect enum SettingsShape: Sendable {
    case integer(ClosedRange<Int>)
    case number(ClosedRange<Double>)
    case boolean
    /// A text that is not empty; with a pattern (ECMA 262) if it has a form.
    case text(pattern: String? = nil)
    case choice([String])
    /// With `orOne` a single value may stand for a list of one.
    case list(SettingsShape, orOne: Bool = false, isNeverEmpty: Bool = false)
    /// Known keys.
    case table([SettingsKey])
    /// Names that the operator chooses, all with a value of the same shape.
    case named(SettingsShape, pattern: String? = nil)
    /// Any of these shapes.
    case either([SettingsShape])
    /// Any value; it is passed on as JSON.
    case json

    /// Whether one environment variable can set it.
    var isScalar: Bool {
        switch self {
        case .integer, .number, .boolean, .text, .choice: true
        case .list, .table, .named, .either, .json: false
        }
    }
}

/// One key of a table of a configuration file.
struct SettingsKey: Sendable {
    /// How a value is shown in logs and in the printed configuration.
    enum Secrecy: Sendable {
        case open
        /// Not at all.
        case hidden
        /// A URL: without user and password, and without the literal text of path and query. Logs
        /// omit path and query completely.
        case address
        /// Only the names of its members.
        case hiddenValues
    }

    let name: String
    let shape: SettingsShape
    var isRequired = false
    var secrecy = Secrecy.open
    /// For the schema and the manual page; docs/ has more.
    var meaning: String?
    /// The default value, as JSON on one line. Nil if there is none, or if it depends on other
    /// settings; then `meaning` describes it.
    var standard: String?

    init(
        _ name: String, _ shape: SettingsShape, isRequired: Bool = false,
        secrecy: Secrecy = .open, meaning: String? = nil, standard: String? = nil
    ) {
        self.name = name
        self.shape = shape
        self.isRequired = isRequired
        self.secrecy = secrecy
        self.meaning = meaning
        self.standard = standard
    }
}
