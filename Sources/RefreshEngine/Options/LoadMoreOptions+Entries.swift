import RefreshProtocol

extension LoadMoreOptions {
    /// Every option, in the order of docs/protocol.md.
    package static let entries: [OptionEntry<LoadMoreOptions>] = [
        .flag(.enabled, \.isEnabled),
        .keyword(.trigger, \.trigger),
        .keyword(.mode, \.mode),
        .length(.length, \.length),
        .length(.preload, \.preload),
        .whole(.preloadItems, \.preloadItems),
        .whole(.leadTime, orNil: \.leadTime),
        .flag(.hold, \.holdsInset),
        .whole(.insetDuration, \.insetDuration),
        .keyword(.onCancel, \.onCancel),
        .keyword(.rearm, \.rearm),
        OptionEntry(.anyDirection) { options in
            .flag(!options.needsApproach)
        } writing: { options, value in
            guard case .flag(let mayGoAnyWay) = value else { return false }
            options.needsApproach = !mayGoAnyWay
            return true
        },
        .intents(\.intents),
        .keyword(.whileRefreshing, \.whileRefreshing),
        OptionEntry(.fill) { options in
            .number(Double(options.fillPagesMax))
        } writing: { options, value in
            guard case .number(let number) = value, let pages = UInt16(exactly: number) else {
                return false
            }
            options.fillPagesMax = pages
            return true
        },
        .whole(.backOff, \.backOff),
        .whole(.backOffMax, \.backOffMax),
        .flag(.asksAgain, \.asksAgain),
        .whole(.deadline, orNil: \.deadline, least: 1),
    ]

    /// Applies a client's options of the edge.
    ///
    /// - Throws: `invalidOption` with the option's field. The value can then be partially changed,
    /// and must be discarded.
    mutating func apply(_ settings: [OptionSetting]) throws(Fault) {
        try settings.apply(to: &self, by: Self.entries)
        // A length of 0 would cause a division by zero (O-IQ-16).
        guard length > 0 else { throw Fault(.invalidOption, option: .length) }
    }
}
