internal import RefreshProtocol
internal import Yams

/// Encodes configuration values as one line of YAML. The YAML parser reads the same values from
/// this line.
enum YAMLText {
    static let mask = "\"***\""

    /// Who receives the text.
    enum Reader {
        /// The daemon itself. For the daemon, nothing is masked.
        case daemon
        /// Users that may print the configuration.
        case print
        /// Users that may read logs.
        case log
    }

    /// Returns a value as `reader` may see it, according to the secrecy of its key.
    static func of(
        _ node: Node, _ shape: SettingsShape = .json, secrecy: SettingsKey.Secrecy = .open,
        for reader: Reader
    ) -> String {
        if reader != .daemon, secrecy == .hidden { return mask }
        switch node {
        case .scalar(let scalar):
            guard secrecy == .address else { return of(scalar) }
            switch reader {
            case .daemon: return of(scalar)
            case .print: return quoted(MaskedAddress.of(scalar.string))
            case .log: return quoted(MaskedAddress.site(of: scalar.string))
            }
        case .sequence(let sequence):
            let item: SettingsShape = if case .list(let item, _, _) = shape { item } else { .json }
            return "["
                + sequence.map { of($0, item, secrecy: secrecy, for: reader) }
                .joined(separator: ", ") + "]"
        case .mapping(let mapping):
            if mapping.isEmpty { return "{}" }
            let members = mapping.map { name, value in
                let key = key(name.scalar?.string ?? "", in: shape)
                let secrecy = secrecy == .hiddenValues ? .hidden : key.secrecy
                let text = of(value, key.shape, secrecy: secrecy, for: reader)
                return "\(name.scalar.map(of) ?? "\"\""): \(text)"
            }
            return "{ " + members.joined(separator: ", ") + " }"
        case .alias: return "~"
        }
    }

    private static func key(_ name: String, in shape: SettingsShape) -> SettingsKey {
        switch shape {
        case .table(let keys): keys.first { $0.name == name } ?? SettingsKey(name, .json)
        case .named(let value, _): SettingsKey(name, value)
        default: SettingsKey(name, .json)
        }
    }

    /// Returns a scalar. A quoted scalar stays quoted, because a parser could take the text without
    /// quotes for a number.
    private static func of(_ scalar: Node.Scalar) -> String {
        guard scalar.style == .plain || scalar.style == .any else { return quoted(scalar.string) }
        return scalar.string.isEmpty ? "null" : quotedIfNeeded(scalar.string)
    }

    /// Returns a text. It is in quotes if YAML would read it differently without quotes.
    static func quotedIfNeeded(_ text: String) -> String { isPlain(text) ? text : quoted(text) }

    /// Returns a text in double quotes. YAML reads the escapes of JSON in the same way.
    static func quoted(_ text: String) -> String {
        var json = ByteBuffer()
        json.appendQuoted(text)
        return String(decoding: json.bytes, as: UTF8.self)
    }

    /// Returns whether a text needs no quotes. Such a text consists of letters, digits, and
    /// characters that have no meaning in YAML at their position.
    private static func isPlain(_ text: String) -> Bool {
        guard let first = text.utf8.first, text != "-", !text.hasPrefix("--") else { return false }
        let isWord = text.utf8.allSatisfy { byte in
            isLetterOrDigit(byte) || "_./~+-".utf8.contains(byte)
        }
        return isWord && (isLetterOrDigit(first) || "_./~-".utf8.contains(first))
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }
}
