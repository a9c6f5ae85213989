/// What an option may hold on the wire, whatever the other options say.
package enum OptionKind: Sendable {
    case flag
    /// Points.
    case length
    case lengthOrNull
    /// Points per second.
    case velocity
    /// A part of a whole.
    case part
    /// Milliseconds.
    case time
    case timeOrNull
    case count
    case word([String])
    /// A name that somebody gave, or `null`.
    case name
    case intents
    case floor

    /// An hour, milliseconds.
    package static let timeMax = 3_600_000
    package static let counts = 0...1000

    /// Whether `null` is a value, and not the same as leaving the option out.
    var takesNull: Bool {
        switch self {
        case .lengthOrNull, .timeOrNull, .floor, .name: true
        case .flag, .length, .velocity, .part, .time, .count, .word, .intents: false
        }
    }

    static func word<Word: CaseIterable & WireNamed>(_: Word.Type) -> OptionKind {
        .word(Word.allCases.map(\.wireName))
    }
}

extension OptionField {
    /// What it holds in the options of an edge; nil if it is none of them.
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
        case .deadline, .leadTime: .timeOrNull
        case .preloadItems, .fill: .count
        case .trigger: .word(TriggerStyle.self)
        case .mode: .word(LoadMoreMode.self)
        case .whileLoading, .whileRefreshing: .word(ConflictPolicy.self)
        case .onCancel: .word(CancelPolicy.self)
        case .changes: .word(ChangePolicy.self)
        case .closing: .word(ClosingPolicy.self)
        case .rearm: .word(RearmPolicy.self)
        case .intents: .intents
        case .floor: .floor
        case .indicator: .name
        case .velocity, .duration, .timeout, .damping, .maximumPull, .deceleration, .style, .first,
            .size, .rate, .language, .motion:
            nil
        }
    }

    /// What it holds in the options of `pan`; nil if it is none of them.
    package var panKind: OptionKind? {
        switch self {
        case .damping: .word(DampingCurve.self)
        case .maximumPull: .lengthOrNull
        case .deceleration: .word(DecelerationRate.self)
        default: nil
        }
    }

    /// What it holds in the options of a second floor; nil if it is none of them.
    package var floorKind: OptionKind? {
        switch self {
        case .length: .length
        case .velocity: .velocity
        case .closing: .part
        case .duration, .timeout: .time
        default: nil
        }
    }
}
