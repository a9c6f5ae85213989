/// The type of an option's value on the wire. Rules that concern several options together are
/// checked elsewhere.
package enum OptionKind: Sendable {
    case flag
    /// Points.
    case length
    case lengthOrNull
    /// Points per second.
    case velocity
    /// A fraction of a whole.
    case fraction
    /// A multiple of a whole.
    case factor
    /// Milliseconds.
    case time
    /// Milliseconds between two events; 0: no events. A value below `intervalMin` counts as
    /// `intervalMin`.
    case interval
    case timeOrNull
    case count
    case keyword([String])
    /// A freely chosen name, or `null`.
    case name
    case intents
    case floor

    /// One hour in milliseconds.
    package static let timeMax = 3_600_000
    /// The minimum interval in milliseconds. It limits how often a client can make the daemon call
    /// a backend.
    package static let intervalMin = 100
    package static let counts = 0...1000
    package static let factors = 1.0...10.0

    /// Whether `null` is a value of its own, distinct from an omitted option.
    var acceptsNull: Bool {
        switch self {
        case .lengthOrNull, .timeOrNull, .floor, .name: true
        case .flag, .length, .velocity, .fraction, .factor, .time, .interval, .count, .keyword,
            .intents:
            false
        }
    }

    static func keyword<Word: CaseIterable & WireNamed>(_: Word.Type) -> OptionKind {
        .keyword(Word.allCases.map(\.wireName))
    }
}

extension OptionField {
    /// The type of the option at an edge; nil if edges have no such option.
    package var edgeKind: OptionKind? {
        switch self {
        case .enabled, .hold, .strict, .floating, .seesCode, .pullsAgain, .firesAgain,
            .anyDirection, .asksAgain:
            .flag
        case .length, .preload, .start, .hysteresis, .slop: .length
        case .room, .zone: .lengthOrNull
        case .insetDuration, .offsetDuration, .step, .minVisible, .successHold, .failureHold,
            .coolDown, .staleAfter, .backOff, .backOffMax:
            .time
        case .pollMs: .interval
        case .deadline, .leadTime: .timeOrNull
        case .preloadItems, .fill: .count
        case .trigger: .keyword(TriggerStyle.self)
        case .mode: .keyword(LoadMoreMode.self)
        case .whileLoading, .whileRefreshing: .keyword(ConflictPolicy.self)
        case .onCancel: .keyword(CancelPolicy.self)
        case .changes: .keyword(ChangePolicy.self)
        case .arrivals: .keyword(ArrivalPolicy.self)
        case .closing: .keyword(ClosingPolicy.self)
        case .repeat: .keyword(RepeatPolicy.self)
        case .depth: .keyword(RefreshDepth.self)
        case .progressMax: .factor
        case .rearm: .keyword(RearmPolicy.self)
        case .intents: .intents
        case .floor: .floor
        case .indicator: .name
        case .velocity, .duration, .timeout, .damping, .maximumPull, .deceleration, .style, .first,
            .size, .access, .rate, .language, .motion, .initial, .debounceMs, .shown, .edit,
            .operation, .delayMs, .repeated, .visible, .last:
            nil
        }
    }

    /// The type of the option in `pan`; nil if `pan` has no such option.
    package var panKind: OptionKind? {
        switch self {
        case .damping: .keyword(DampingCurve.self)
        case .maximumPull: .lengthOrNull
        case .deceleration: .keyword(DecelerationRate.self)
        default: nil
        }
    }

    /// The type of the option in a second floor; nil if it has no such option.
    package var floorKind: OptionKind? {
        switch self {
        case .length: .length
        case .velocity: .velocity
        case .closing: .fraction
        case .duration, .timeout: .time
        default: nil
        }
    }
}
