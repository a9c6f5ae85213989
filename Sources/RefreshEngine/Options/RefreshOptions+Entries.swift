package import RefreshProtocol

extension RefreshOptions {
    /// Every option, in the order of docs/protocol.md.
    package static let entries: [OptionEntry<RefreshOptions>] = [
        .flag(.enabled, \.isEnabled),
        .keyword(.trigger, \.trigger),
        .length(.length, \.length),
        .length(.start, \.start),
        OptionEntry(.room) { options in
            .number(options.room)
        } writing: { options, value in
            switch value {
            case .none: options.ownRoom = nil
            case .number(let room) where room >= 0: options.ownRoom = room
            default: return false
            }
            return true
        },
        .length(.preload, \.preload),
        .length(.hysteresis, \.hysteresis),
        .length(.slop, \.slop),
        .flag(.strict, \.isStrict),
        .flag(.hold, \.holdsInset),
        .length(.zone, orNil: \.roomZone),
        .flag(.floating, \.isFloating),
        .whole(.insetDuration, \.insetDuration),
        .whole(.offsetDuration, \.offsetDuration),
        .intents(\.intents),
        .keyword(.whileLoading, \.whileLoading),
        .keyword(.onCancel, \.onCancel),
        .keyword(.closing, \.closing),
        .whole(.step, \.step),
        .flag(.seesCode, \.seesProgram),
        .flag(.pullsAgain, \.pullsAgain),
        .flag(.firesAgain, \.firesAgain),
        .whole(.minVisible, \.minVisible),
        .whole(.successHold, \.successHold),
        .whole(.failureHold, \.failureHold),
        .whole(.coolDown, \.coolDown),
        .keyword(.changes, \.changes),
        .keyword(.arrivals, \.arrivals),
        .whole(.staleAfter, \.staleAfter),
        .keyword(.repeat, \.repetition),
        .whole(.pollMs, \.pollMs),
        .keyword(.depth, \.depth),
        OptionEntry(.progressMax) { options in
            .number(options.progressMax)
        } writing: { options, value in
            guard case .number(let number) = value, OptionKind.factors.contains(number) else {
                return false
            }
            options.progressMax = number
            return true
        },
        .whole(.deadline, orNil: \.deadline, least: 1),
    ]

    /// The second floor's options.
    package var floorValue: OptionValue {
        guard let floor else { return .none }
        return .floor(
            FloorOptions.entries.map { OptionSetting($0.field, $0.value(in: floor)) })
    }

    /// Applies a client's options of the edge.
    ///
    /// - Throws: `invalidOption` with the option's field. The value can then be partially changed,
    /// and must be discarded.
    mutating func apply(_ settings: [OptionSetting]) throws(Fault) {
        try settings.filter { $0.field != .floor }.apply(to: &self, by: Self.entries)
        for setting in settings where setting.field == .floor { try applyFloor(setting.value) }
        try check()
    }

    private mutating func applyFloor(_ value: OptionValue) throws(Fault) {
        guard case .floor(let settings) = value else { return floor = nil }
        var options = floor ?? FloorOptions(length: 0)
        try settings.apply(to: &options, by: FloorOptions.entries)
        guard options.length > 0 else { throw Fault(.invalidOption, option: .floor) }
        floor = options
    }

    /// Rejects unusable combinations. A length of 0 would cause a division by zero, and would arm
    /// the edge without a pull (O-IQ-16). A pull must pass the resting offset, and the place at
    /// which it becomes visible, before it reaches the threshold. If it did not, a touch would fire
    /// the edge (O-MR-12).
    private func check() throws(Fault) {
        guard length > 0 else { throw Fault(.invalidOption, option: .length) }
        guard start < length else { throw Fault(.invalidOption, option: .start) }
        guard preload < length else { throw Fault(.invalidOption, option: .preload) }
        guard hysteresis < length else { throw Fault(.invalidOption, option: .hysteresis) }
        guard closing != .atStep || step > 0 else { throw Fault(.invalidOption, option: .step) }
        guard let floor else { return }
        guard floor.closing > 0 else { throw Fault(.invalidOption, option: .closing) }
        guard floor.length > length - preload else {
            throw Fault(.invalidOption, option: .floor)
        }
    }
}

extension FloorOptions {
    /// Every option, in the order of docs/protocol.md.
    package static let entries: [OptionEntry<FloorOptions>] = [
        .length(.length, \.length),
        .length(.velocity, \.velocity),
        .length(.closing, \.closing),
        .whole(.duration, \.duration),
        .whole(.timeout, \.timeout),
    ]
}
