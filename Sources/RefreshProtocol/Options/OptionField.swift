/// The names of all fields in a client's option objects (of an edge, the second floor, `pan`,
/// paging and frames), and of the fields of messages that only
/// clients with features may send.
///
/// These names are not part of `Field`, because they are infrequent and the message path does not
/// need them. Source: docs/protocol.md, "Profiles and edge options".
package enum OptionField: UInt8, CaseIterable, Sendable {
    // both edges
    case enabled, trigger, length, preload, hold, insetDuration, intents, onCancel
    case deadline, indicator
    // refresh
    case start, room, hysteresis, slop, strict, zone, floating, offsetDuration, whileLoading
    case closing, step, seesCode, pullsAgain, firesAgain, minVisible, successHold, failureHold
    case coolDown, changes, arrivals, staleAfter, `repeat`, pollMs, depth, progressMax, floor
    // load more
    case mode, preloadItems, leadTime, rearm, anyDirection, whileRefreshing, fill
    case backOff, backOffMax, asksAgain
    // the second floor
    case velocity, duration, timeout
    // pan
    case damping, maximumPull, deceleration
    // paging
    case style, first, size, access
    // the object `frames` of `hello`, which also has the field `mode`
    case rate, language, motion
    // attach and configure, with features
    case initial, debounceMs, shown
    // edit and undo
    case edit, operation, delayMs, repeated
    // scroll and geometry, with the feature `visibleRange`; `visible` also has the field `first`
    case visible, last
}

extension OptionField: WireNamed {
    /// The field's name on the wire is the name of the case. `attached` contains up to 70 of these
    /// names, and `String(describing:)` takes thousands of instructions for each.
    package var wireName: String { Self.wireNames[Int(rawValue)] }

    private static let wireNames = allCases.map { String(describing: $0) }
}

extension OptionField {
    /// Whether only clients with features know the option. For other clients it is an unknown
    /// option, and `attached` does not contain it. Source: docs/protocol.md, "Features".
    package var needsFeatures: Bool {
        switch self {
        case .repeat, .pollMs, .depth, .progressMax, .initial, .debounceMs, .shown: true
        default: feature != nil
        }
    }

    /// The feature to which the option belongs; nil if it belongs to none.
    package var feature: Feature? {
        switch self {
        case .arrivals: .live
        case .edit, .operation, .delayMs, .repeated: .edits
        case .access, .visible, .last: .visibleRange
        default: nil
        }
    }

    /// Whether a client with these features knows the option. If `features` is nil, the client has
    /// none.
    package func isKnown(with features: ClientFeatures?) -> Bool {
        guard needsFeatures else { return true }
        guard let features else { return false }
        return feature.map { features.uses($0) } ?? true
    }
}
