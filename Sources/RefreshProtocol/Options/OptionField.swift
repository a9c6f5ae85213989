/// Every field name within the option objects of a client: of an edge, its second floor,
/// `pan`, paging, and frames.
///
/// They have a vocabulary of their own because they come seldom: the message path need not know
/// them. Source: docs/protocol.md, "Profiles and edge options".
package enum OptionField: UInt8, CaseIterable, Sendable {
    // both edges
    case enabled, trigger, length, preload, hold, insetDuration, intents, onCancel
    case deadline, indicator
    // refresh
    case start, room, hysteresis, slop, strict, zone, floating, offsetDuration, whileLoading
    case closing, step, seesCode, pullsAgain, firesAgain, minVisible, successHold, failureHold
    case coolDown, changes, staleAfter, floor
    // load more
    case mode, preloadItems, leadTime, rearm, anyDirection, whileRefreshing, fill
    case backOff, backOffMax, asksAgain
    // the second floor
    case velocity, duration, timeout
    // pan
    case damping, maximumPull, deceleration
    // paging
    case style, first, size
    // the client's frames, beside `mode`
    case rate, language, motion
}

extension OptionField: WireNamed {
    /// The name of the case is the name of the field.
    package var wireName: String { String(describing: self) }
}
