/// The values that are permitted at one place of a configuration file.
///
/// The readers decide which values are valid. The shape describes the same rules as data, for
/// features that need a list of all keys: the environment, the printed configuration, the
/// differences of a reload, and the schema for editors. Tests check that the readers and the shape
/// agree.
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
    /// Any of these shapes.
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

/// One key of a table of a configuration file.
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
    let shape: SettingsShape
    var isRequired = false
    var secrecy = Secrecy.open
    /// A short description for the schema and the manual page.
    var meaning: String?
    /// The default value, as JSON on one line. It is nil if there is no default, or if the default
    /// depends on other settings. In the second case, `meaning` describes it.
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
