/// The policy for an armed edge when the system cancels its gesture. Source: docs/protocol.md,
/// "Policies".
package enum CancelPolicy: String, CaseIterable, WireNamed, Sendable, Codable {
    /// The edge is disarmed.
    case disarm
    /// The edge fires, as on a release.
    case release
}

/// The reaction of a view when its feed has newer data. Source: docs/protocol.md, "Changes".
package enum ChangePolicy: String, CaseIterable, WireNamed, Sendable, Codable {
    /// No reaction.
    case ignore
    /// The view notifies the client.
    case cue
    /// The view refreshes, and only the new items are visible.
    case silent
    /// The view refreshes visibly.
    case visible
}

/// How long a refresh that has ended stays `finishing`. The next refresh may begin at any moment,
/// because nothing waits for this state. Source: docs/protocol.md, "Policies".
package enum ClosingPolicy: String, CaseIterable, WireNamed, Sendable, Codable {
    /// The refresh is not `finishing`.
    case atOnce
    /// The refresh is `finishing` while its room closes.
    case animated
    /// The refresh is `finishing` until the finger has left the list. The end is sent before the
    /// room closes.
    case atRelease
    /// The refresh is `finishing` until the current step of the indicator's programme has ended.
    case atStep
}

/// The policy for a load that is requested while the load of the other edge runs. Source:
/// docs/protocol.md, "Policies".
package enum ConflictPolicy: String, CaseIterable, WireNamed, Sendable, Codable {
    /// The running load is cancelled.
    case cancel
    /// The new load waits until the running load has ended.
    case queue
    /// The new load does not begin.
    case reject
    /// Both loads run.
    case concurrent
}

/// The relation between a finger's travel beyond the edge and the shown content, each modelled on
/// one platform. Source: docs/protocol.md, "Profiles and edge options".
package enum DampingCurve: String, CaseIterable, WireNamed, Codable, Sendable {
    /// One to one.
    case none
    /// iOS: the resistance grows with the travel, up to the viewport's length.
    case uiscrollview
    /// Half the travel with exponentially growing resistance, up to 2.5 lengths.
    case smartRefreshLayout
    /// Half the travel up to the length, then a slingshot up to two lengths.
    case swipeRefreshLayout
    /// Half the travel up to the length, then as in SwipeRefreshLayout.
    case compose
    /// Linear up to one and a half lengths, over a quarter of the viewport.
    case flutter
}

/// The changes after which the edges of a view evaluate the position of the list. Source:
/// docs/protocol.md, "Policies".
package enum EvaluationTrigger: String, CaseIterable, WireNamed, Sendable, Codable {
    /// Every change that can alter the result: movement, rest, sizes, options, the end of a load.
    case everything
    /// A new offset only. While a pull or a refresh is visible, and before the first page of a
    /// feed, the other edge is not evaluated.
    case movement
}

/// The position of the load-more threshold. Source: docs/protocol.md, "Profiles and edge options".
package enum LoadMoreMode: String, CaseIterable, WireNamed, Sendable, Codable {
    /// Beyond the end of the content, by the edge's length.
    case user
    /// At the end of the content.
    case limit
}

/// How a request identifies a page. Source: docs/protocol.md, "Paging".
package enum PagingStyle: String, CaseIterable, WireNamed, Sendable, Codable {
    case page
    case offset
    case cursor
    /// A single page without a next page.
    case none
}

/// When a load-more edge that has requested a load may request again. Source: docs/protocol.md,
/// "Policies".
package enum RearmPolicy: String, CaseIterable, WireNamed, Sendable, Codable {
    /// After new content, after the list has left the zone, or on request.
    case content
    /// With the next gesture, or in the same gesture after new content that moved the threshold
    /// away.
    case gesture
}

/// When an edge beyond its threshold fires. Source: docs/protocol.md, "Profiles and edge options".
package enum TriggerStyle: String, CaseIterable, WireNamed, Sendable, Codable {
    /// When the finger lifts.
    case release
    /// When the pull reaches the threshold.
    case reach
    /// Never automatically: the platform's control decides, and the client reports it with
    /// `refresh`.
    case platform
}
