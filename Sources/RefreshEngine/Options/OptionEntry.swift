package import RefreshProtocol

/// One option of an edge or floor: its name on the wire and its key path in the engine's options.
///
/// The options are listed only in the tables of entries (`entries` of each type). These tables
/// define the options that a client can set, the options in `attached`, and the tables of profiles
/// in docs/protocol.md.
package struct OptionEntry<Options>: Sendable {
    package let field: OptionField
    /// Whether only clients with features know the option.
    package var needsFeatures: Bool { field.needsFeatures }
    /// Whether a client with these features knows the option.
    package func isKnown(with features: ClientFeatures?) -> Bool { field.isKnown(with: features) }
    private let reading: @Sendable (Options) -> OptionValue
    private let writing: @Sendable (inout Options, OptionValue) -> Bool

    /// `writing` changes nothing and returns false for a value that the option cannot have.
    init(
        _ field: OptionField, reading: @escaping @Sendable (Options) -> OptionValue,
        writing: @escaping @Sendable (inout Options, OptionValue) -> Bool
    ) {
        self.field = field
        self.reading = reading
        self.writing = writing
    }

    /// The current value.
    package func value(in options: Options) -> OptionValue { reading(options) }

    /// - Throws: `invalidOption` with the option's field. In this case, nothing is changed.
    func apply(_ value: OptionValue, to options: inout Options) throws(Fault) {
        guard writing(&options, value) else { throw Fault(.invalidOption, option: field) }
    }
}

extension OptionEntry {
    typealias Path<Value> = any WritableKeyPath<Options, Value> & Sendable

    static func flag(_ field: OptionField, _ path: Path<Bool>) -> OptionEntry {
        OptionEntry(field) { options in
            .flag(options[keyPath: path])
        } writing: { options, value in
            guard case .flag(let flag) = value else { return false }
            options[keyPath: path] = flag
            return true
        }
    }

    /// A non-negative number.
    static func length(_ field: OptionField, _ path: Path<Double>) -> OptionEntry {
        OptionEntry(field) { options in
            .number(options[keyPath: path])
        } writing: { options, value in
            guard case .number(let number) = value, number >= 0 else { return false }
            options[keyPath: path] = number
            return true
        }
    }

    /// A non-negative number, or nil.
    static func length(_ field: OptionField, orNil path: Path<Double?>) -> OptionEntry {
        OptionEntry(field) { options in
            options[keyPath: path].map { .number($0) } ?? .none
        } writing: { options, value in
            switch value {
            case .none: options[keyPath: path] = nil
            case .number(let number) where number >= 0: options[keyPath: path] = number
            default: return false
            }
            return true
        }
    }

    /// A non-negative whole number: milliseconds, or a count.
    static func whole(
        _ field: OptionField, _ path: any WritableKeyPath<Options, UInt32> & Sendable
    ) -> OptionEntry {
        OptionEntry(field) { options in
            .number(Double(options[keyPath: path]))
        } writing: { options, value in
            guard case .number(let number) = value, let whole = UInt32(exactly: number) else {
                return false
            }
            options[keyPath: path] = whole
            return true
        }
    }

    /// A whole number of at least `least`, or nil.
    static func whole(
        _ field: OptionField, orNil path: Path<UInt32?>, least: UInt32 = 0
    ) -> OptionEntry {
        OptionEntry(field) { options in
            options[keyPath: path].map { .number(Double($0)) } ?? .none
        } writing: { options, value in
            switch value {
            case .none: options[keyPath: path] = nil
            case .number(let number):
                guard let whole = UInt32(exactly: number), whole >= least else { return false }
                options[keyPath: path] = whole
            default: return false
            }
            return true
        }
    }

    static func keyword<Word: RawRepresentable<String> & SendableMetatype>(
        _ field: OptionField, _ path: Path<Word>
    ) -> OptionEntry {
        OptionEntry(field) { options in
            .keyword(options[keyPath: path].rawValue)
        } writing: { options, value in
            guard case .keyword(let name) = value, let word = Word(rawValue: name) else {
                return false
            }
            options[keyPath: path] = word
            return true
        }
    }

    static func intents(_ path: Path<Intents>) -> OptionEntry {
        OptionEntry(.intents) { options in
            .intents(options[keyPath: path])
        } writing: { options, value in
            guard case .intents(let intents) = value else { return false }
            options[keyPath: path] = intents
            return true
        }
    }
}

extension [OptionSetting] {
    /// Applies each setting to `options` by the entry of its field.
    ///
    /// - Throws: `invalidOption` with the field of the first option that does not exist in
    ///   `options` or cannot have its value.
    func apply<Options>(
        to options: inout Options, by entries: [OptionEntry<Options>]
    ) throws(Fault) {
        for setting in self {
            guard let entry = entries.first(where: { $0.field == setting.field }) else {
                throw Fault(.invalidOption, option: setting.field)
            }
            try entry.apply(setting.value, to: &options)
        }
    }
}
