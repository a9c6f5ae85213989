/// The effect on an armed edge (an edge that fires if the finger lifts) when the system cancels the
/// gesture. Source: docs/protocol.md, "Policies".
public enum CancelPolicy: String, CaseIterable, WireNamed, Sendable, Codable {
    /// The edge is disarmed and does not fire.
    case disarm
    /// The edge fires, as on a release.
    case release
}

/// The reaction of a view when its feed has newer data. Source: docs/protocol.md, "Changes".
public enum ChangePolicy: String, CaseIterable, WireNamed, Sendable, Codable {
    /// The view does not react.
    case ignore
    /// The daemon notifies the client, and the view does not refresh.
    case cue
    /// The view refreshes, and only the new items are visible.
    case silent
    /// The view refreshes visibly.
    case visible
}

/// How long a refresh that has ended is in the state `finishing`. This state delays nothing: the
/// next refresh, for example, may begin during it. Source: docs/protocol.md, "Policies".
public enum ClosingPolicy: String, CaseIterable, WireNamed, Sendable, Codable {
    /// The refresh is never in `finishing`.
    case atOnce
    /// The refresh is in `finishing` while its room closes.
    case animated
    /// The refresh is in `finishing` until the finger has left the list. The client learns of the
    /// end of the refresh before the room closes.
    case atRelease
    /// The refresh is in `finishing` until the current step of the indicator's programme has ended.
    case atStep
}

/// The policy for a load that is requested while the load of the other edge runs. Source:
/// docs/protocol.md, "Policies".
public enum ConflictPolicy: String, CaseIterable, WireNamed, Sendable, Codable {
    /// The running load is cancelled.
    case cancel
    /// The new load waits until the running load has ended.
    case queue
    /// The new load does not begin.
    case reject
    /// Both loads run.
    case concurrent
}

/// The relation between the travel of a finger beyond an edge and the distance by which the content
/// moves beyond that edge. Each curve is modelled on one platform. A "length" below is the value of
/// the option `length`. Source: docs/protocol.md, "Profiles and edge options".
public enum DampingCurve: String, CaseIterable, WireNamed, Codable, Sendable {
    /// The content moves as far as the finger.
    case none
    /// The curve of iOS: the resistance grows with the travel. The content moves by at most the
    /// size of the viewport along the axis.
    case uiscrollview
    /// The content moves by half the travel, with exponentially growing resistance, and by at most
    /// 2.5 lengths.
    case smartRefreshLayout
    /// The content moves by half the travel until it has moved by one length. Then the resistance
    /// grows until the content has moved by two lengths.
    case swipeRefreshLayout
    /// The same curve as `swipeRefreshLayout`.
    case compose
    /// The content moves in proportion to the travel. When the finger has travelled a quarter of
    /// the viewport, the content has moved by its maximum of one and a half lengths.
    case flutter
}

/// The changes after which the edges of a view are evaluated: each edge determines its state from
/// the position of the list. Source: docs/protocol.md, "Policies".
public enum EvaluationTrigger: String, CaseIterable, WireNamed, Sendable, Codable {
    /// The edges are evaluated after every change that can alter the result: movement, rest, sizes,
    /// options, and the end of a load.
    case everything
    /// The edges are evaluated only after a new offset. The load-more edge is not evaluated while a
    /// pull or a refresh is visible, or before the first page of a feed has arrived.
    case movement
}

/// The position of the load-more threshold. Source: docs/protocol.md, "Profiles and edge options".
public enum LoadMoreMode: String, CaseIterable, WireNamed, Sendable, Codable {
    /// The threshold is beyond the end of the content. Its distance from the end is the option
    /// `length` of the edge.
    case user
    /// The threshold is at the end of the content.
    case limit
}

/// How a request identifies a page. Source: docs/protocol.md, "Paging".
public enum PagingStyle: String, CaseIterable, WireNamed, Sendable, Codable {
    case page
    case offset
    case cursor
    /// The list is a single page without a next page.
    case none
}

/// Which pages a view requests. Source: docs/protocol.md, "What is in sight".
public enum PagingAccess: String, CaseIterable, WireNamed, Sendable, Codable {
    /// Each page after the page before it.
    case sequential
    /// The pages in sight, in any order.
    case random
}

/// When a load-more edge that has requested a load may request again. Source: docs/protocol.md,
/// "Policies".
public enum RearmPolicy: String, CaseIterable, WireNamed, Sendable, Codable {
    /// The edge may request again after new content, or after the list has left the zone that
    /// begins `length` points before the threshold. An explicit request is always possible.
    case content
    /// The edge may request again in the next gesture. It may also request again in the same
    /// gesture, after new content has moved the threshold away.
    case gesture
}

/// The pages that a refresh requests. Source: docs/protocol.md, "Refresh at depth".
public enum RefreshDepth: String, CaseIterable, WireNamed, Sendable, Codable {
    /// The first page.
    case first
    /// All pages of the list.
    case keep
    /// The pages of the list up to the last one in sight.
    case keepVisible
}

/// What happens to items that arrive at the start of a list. Source: docs/protocol.md, "Live
/// items".
public enum ArrivalPolicy: String, CaseIterable, WireNamed, Sendable, Codable {
    /// They are held back, and the client shows how many there are.
    case pill
    /// They are inserted.
    case insert
    /// They are inserted while the start of the list is in sight, and held back otherwise.
    case stick
}

/// When an edge beyond its threshold fires. Source: docs/protocol.md, "Profiles and edge options".
public enum TriggerStyle: String, CaseIterable, WireNamed, Sendable, Codable {
    /// The edge fires when the finger lifts.
    case release
    /// The edge fires when the pull reaches the threshold.
    case reach
    /// The edge never fires automatically. The platform's control decides when to refresh, and the
    /// client reports this with `refresh`.
    case platform
}

/// The effect of a request for a refresh while a refresh of the view runs or waits. Source:
/// docs/protocol.md, "Policies".
public enum RepeatPolicy: String, CaseIterable, WireNamed, Sendable, Codable {
    /// The request has no effect.
    case reject
    /// The result of the refresh that runs is also the result of the request.
    case join
    /// A new load replaces the load that runs.
    case newest
}
