package import RefreshProtocol

/// A named set of option values: data, not behaviour. Source: docs/protocol.md, "Profiles".
package enum Profile: String, CaseIterable, Sendable, Codable {
    /// The default behaviour of a list: the rules of docs/engine.md.
    case `default`
    /// UIRefreshControl. The platform's control manages its own room.
    case uikit
    /// IQPullToRefresh: a custom refresh control with its own load-more indicator.
    case iqpulltorefresh
    /// MRefresh 0.1.1. A refresh fires under the finger beyond 110 points. Its indicator closes
    /// only after the finger has left.
    case mrefresh
    /// MRefresh 0.2.1, which has other constants.
    case mrefresh2
    /// AppCoda's custom control. Letters light up one by one during the refresh.
    case appcoda
    /// Jackrabbit's custom control. Its compass and its needle meet after 100 points.
    case jackrabbit

    package var refresh: RefreshOptions {
        switch self {
        case .default: .plain
        case .uikit: .platform(length: 60)
        case .iqpulltorefresh: .iqpulltorefresh
        case .mrefresh: .mrefresh(length: 110, start: 30, room: 80, zone: 0, insetDuration: 300)
        case .mrefresh2: .mrefresh(length: 140, start: 40, room: 100, zone: 20, insetDuration: 250)
        case .appcoda: .programme(length: 60, step: 1650)
        case .jackrabbit: .programme(length: 100, step: 300)
        }
    }

    package var loadMore: LoadMoreOptions {
        switch self {
        case .default: .plain
        case .uikit: LoadMoreOptions(length: 60, fillPagesMax: 5)
        case .iqpulltorefresh: .iqpulltorefresh
        case .mrefresh, .mrefresh2, .appcoda, .jackrabbit: .plain
        }
    }

    package var attention: EvaluationTrigger {
        switch self {
        case .default, .uikit, .appcoda, .jackrabbit: .everything
        case .iqpulltorefresh, .mrefresh, .mrefresh2: .movement
        }
    }

    /// Whether the daemon sends a haptic cue when a threshold is crossed, and when an edge fires.
    package var playsHaptics: Bool {
        switch self {
        case .default, .uikit, .iqpulltorefresh: true
        case .mrefresh, .mrefresh2, .appcoda, .jackrabbit: false
        }
    }

    /// Whether the beginning and end of loads are announced to a screen reader.
    package var announces: Bool { self == .default }

    /// The physics of a list that the engine moves, because its client reports the finger by `pan`.
    package var pan: PanOptions { PanOptions() }

    package static let paging = PagingOptions(style: .page, first: 1, size: 50)
}

extension RefreshOptions {
    fileprivate static var plain: RefreshOptions {
        var options = RefreshOptions(length: 64)
        options.hysteresis = 8
        options.insetDuration = 250
        options.offsetDuration = 250
        options.closing = .animated
        options.minVisible = 300
        options.successHold = 400
        options.failureHold = 1500
        return options
    }

    /// The options of a control that the platform draws, and for which the platform makes room.
    fileprivate static func platform(length: Double) -> RefreshOptions {
        var options = RefreshOptions(length: length)
        options.trigger = .reach
        options.holdsInset = false
        options.offsetDuration = 300
        return options
    }

    /// The options of a platform control whose indicator plays a programme of steps. `step` is the
    /// duration of a step in milliseconds.
    fileprivate static func programme(length: Double, step: UInt32) -> RefreshOptions {
        var options = platform(length: length)
        options.closing = .atStep
        options.step = step
        return options
    }

    fileprivate static var iqpulltorefresh: RefreshOptions {
        var options = RefreshOptions(length: 60)
        options.slop = 0
        options.onCancel = .release
        options.firesAgain = true
        options.whileLoading = .concurrent
        return options
    }

    fileprivate static func mrefresh(
        length: Double, start: Double, room: Double, zone: Double, insetDuration: UInt32
    ) -> RefreshOptions {
        var options = RefreshOptions(length: length)
        options.trigger = .reach
        options.isStrict = true
        options.start = start
        options.room = room
        options.roomZone = zone
        options.slop = 0
        options.seesProgram = true
        options.insetDuration = insetDuration
        options.offsetDuration = insetDuration
        options.closing = .atRelease
        options.pullsAgain = false
        return options
    }
}

extension LoadMoreOptions {
    fileprivate static var plain: LoadMoreOptions {
        var options = LoadMoreOptions(length: 64, fillPagesMax: 5)
        options.preload = 200
        options.leadTime = 200
        options.backOff = 1000
        options.asksAgain = true
        options.insetDuration = 250
        return options
    }

    fileprivate static var iqpulltorefresh: LoadMoreOptions {
        var options = LoadMoreOptions(length: 60)
        options.rearm = .gesture
        options.needsApproach = false
        options.onCancel = .release
        options.whileRefreshing = .concurrent
        return options
    }
}
