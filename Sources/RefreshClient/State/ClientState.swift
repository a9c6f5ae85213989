public import RefreshProtocol

/// The state of a client: its connection and its views.
public struct ClientState: Hashable, Sendable {
    /// The state of the connection.
    public internal(set) var status = ConnectionStatus.connecting
    /// With the status `refused`, the reason in English sentences; otherwise nil.
    public internal(set) var refusal: String?
    /// The views by their names.
    public internal(set) var views: [String: ViewState] = [:]
    /// The features that the daemon serves and the client uses. Source: docs/protocol.md,
    /// "Features".
    public internal(set) var features: Set<String> = []
}

/// The state of the connection to the daemon.
public enum ConnectionStatus: String, Hashable, Sendable {
    /// The client has had no session yet.
    case connecting
    /// The client has a session.
    case open
    /// The connection is lost, and the client connects again.
    case lost
    /// The app is in the background. The client connects again when the app comes back.
    case suspended
    /// The daemon refuses the client, so the client does not connect again.
    case refused
    /// The client has ended its session.
    case closed
}

/// What a view shows.
///
/// While the client has a session, the values are those of the daemon. Without a connection, the
/// client's own engine continues by the rules of the daemon (`isLocal`). Source: docs/protocol.md,
/// "States" and "Commands and timelines".
public struct ViewState: Hashable, Sendable {
    /// Whether the daemon has attached the view.
    public internal(set) var isAttached = false
    /// The code of the fault with which the daemon, or the client itself, has refused to attach
    /// the view, such as `unknownFeed`; nil if the view was not refused. Source: docs/protocol.md,
    /// "Faults".
    public internal(set) var refusal: String?
    /// Whether the values are those of the client's own engine, because there is no session.
    public internal(set) var isLocal = true
    /// The content offset along the axis, in points.
    public internal(set) var offset = Motion(at: 0)
    /// For each edge, the share that is added to the inset of the host, in points.
    public internal(set) var insets: [Edge: Motion] = [:]
    /// The edges of the view.
    public internal(set) var edges: [Edge: ShownEdge] = [:]
    /// The state of the second floor.
    public internal(set) var floor = FloorState.closed
    /// The progress of a pull towards the second floor, 0...1; nil in other states.
    public internal(set) var floorProgress: Double?
    /// The items in the order in which the list shows them, with the edits that have no answer.
    public internal(set) var items: [JSONValue] = []
    /// The rows of a list with random access, whose `items` is empty; nil with sequential access,
    /// and before the first page. Source: docs/protocol.md, "What is in sight".
    public internal(set) var rows: ItemRows?
    /// The paging that is in force, and where its items belong; nil: `rows` has no list.
    var paging: JSONValue?
    var rowPlaces: RowPlaces?
    /// The place of the value that names the section of an item; nil: there are no sections.
    var sectionKey: JSONPointer?
    /// The edits that have no answer, in the order in which they were made.
    public internal(set) var pendingEdits: [PendingEdit] = []
    /// The operations that the feed accepts as edits. It is empty before the view is attached for
    /// the first time, and without the features `patch`, `live` and `edits`.
    public internal(set) var acceptedEdits: Set<EditOperation.Kind> = []
    /// The identifiers of the running loads. A load that waits for the connection is not among
    /// them.
    public internal(set) var loads: [String] = []
    /// The number of items in the list by the daemon's count; nil before the first page.
    public internal(set) var count: Int?
    /// Whether there are more items; nil before the first page.
    public internal(set) var hasMore: Bool?
    /// Whether the feed has newer data than the list shows.
    public internal(set) var hasNewer = false
    /// The number of newer items; nil if it is not known, or without the feature `unread`.
    public internal(set) var newerCount: Int?
    /// Whether the newest items are out of sight. It is always false without the feature `unread`.
    public internal(set) var isAway = false
    /// The time of the last successful refresh, in milliseconds of the daemon's clock; nil if there
    /// was none.
    public internal(set) var lastUpdated: Double?

    /// Creates the state of a view that was never attached.
    package init() {}
}

/// What an edge of a view shows.
public struct ShownEdge: Hashable, Sendable {
    /// The purpose of the edge.
    public internal(set) var role: EdgeRole
    /// The state of the edge.
    public internal(set) var state = EdgeState.idle
    /// The progress to the threshold, from 0. With the option `progressMax` it can be above 1. Nil
    /// in states without progress.
    public internal(set) var progress: Double?
    /// The cause of the load; nil in states without a load.
    public internal(set) var cause: Cause?
    /// The result of the last load; nil in states that have no result.
    public internal(set) var result: LoadResult?
    /// The look of the spinner.
    public internal(set) var indicator = IndicatorFrame.hidden
    /// The look from which the spinner moves to `indicator`; nil if it is at `indicator` already.
    public internal(set) var blend: IndicatorBlend?

    /// The look of the spinner at a time of the client's clock, in milliseconds. The rotation of
    /// `spin` is not included.
    public func indicator(at time: Double) -> IndicatorFrame {
        guard let blend, time < blend.start + blend.duration else { return indicator }
        let part = Curve.easeOut.fraction(at: (time - blend.start) / blend.duration)
        var frame = indicator
        for path in [
            \IndicatorFrame.progress, \.alpha, \.scale, \.rotation,
        ] as [WritableKeyPath<IndicatorFrame, Double>] {
            frame[keyPath: path] =
                blend.origin[keyPath: path]
                + (indicator[keyPath: path] - blend.origin[keyPath: path]) * part
        }
        return frame
    }
}

/// The movement of a spinner from one look to another.
public struct IndicatorBlend: Hashable, Sendable {
    /// The look at the start.
    public internal(set) var origin: IndicatorFrame
    /// The time of the start, in milliseconds of the client's clock.
    public internal(set) var start: Double
    /// The duration in milliseconds.
    public internal(set) var duration: Double
}

/// Something that happens once and is not part of the state.
public enum ClientEvent: Hashable, Sendable {
    /// Play a haptic cue for a view.
    case haptic(Haptic, view: String)
    /// Pass the text for this cue to a screen reader.
    case announce(SpokenCue, view: String)
    /// A client that is its own backend loads a page, and answers by `finishLoad`.
    case load(LoadTask)
    /// The items of a load have arrived. They are also in the state.
    case itemsReceived(count: Int, view: String)
    /// A load has ended without items. `message` is the daemon's text.
    case loadFailed(LoadResult, code: String?, message: String?, view: String)
    /// The daemon has reported a fault, or the client has refused a view that the daemon cannot
    /// attach. `code` is nil for a code that this version does not know. `message` names the field
    /// that the fault concerns, such as an option.
    case fault(FaultCode?, name: String, message: String, view: String?)
    /// The daemon has ignored input, or has noticed a mistake of the client. `page` is the section
    /// of the documentation about the mistake. Only with `diagnostics` in the configuration, but
    /// for a call with a number that is not finite: the client ignores the call, and always reports
    /// it, without a `code`.
    case diagnostic(
        DiagnosticCode?, message: String, field: String?, view: String?, page: String?)
    /// The daemon has answered an edit, which is not pending any more.
    case edited(EditAnswer, view: String)
    /// A `reveal` has ended.
    case revealed(RevealResult, view: String)
    /// An attempt to connect has failed, for instance because the host does not answer, the URL is
    /// wrong, or the daemon refuses the upgrade. The client tries again, unless it is `refused`:
    /// the status was 400, 403 or 404 before the first `welcome`. `reason` is the text of the
    /// transport's error.
    case connectionFailed(reason: String)
    /// The daemon stops soon. The client connects again without the help of the app.
    case draining(closesMs: Double)
    /// The daemon did not resume the session: the client has a fresh one. `reason` is a key of
    /// docs/protocol.md, "Coming back".
    case sessionLost(reason: String?)
}

/// A page that a client without a feed loads. Source: docs/protocol.md, "load".
public struct LoadTask: Hashable, Sendable {
    /// The identifier of the load in the session.
    public var id: String
    /// The view for which the page is.
    public var view: String
    /// Whether the page is the first one or the next one.
    public var kind: LoadKind
    /// The number of the page.
    public var page: Int
    /// The position of the first item.
    public var offset: Int
    /// The number of items.
    public var size: Int
    /// The cursor of the last accepted page; nil if there is none.
    public var cursor: String?
    /// The number of milliseconds after which the daemon ends the load.
    public var deadlineMs: Double?
}
