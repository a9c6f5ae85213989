/// The request to create a view. Source: docs/protocol.md, "attach".
package struct Attach: Hashable, Sendable {
    package var view: ViewID
    package var profile: String
    /// The feed; nil if the client itself is the backend.
    package var feed: String?
    package var parameters: [Parameter] = []
    package var geometry = GeometryChange()
    /// The content offset in points. If it is nil, the list is at rest where reading begins.
    package var offset: Double?
    package var layout = ViewLayout()
    package var edges = EdgeSettings()
    package var paging: PagingOverrides?
    package var pan: [OptionSetting] = []
    /// Whether `pan` was present. If it was, even without options, the daemon computes the movement
    /// of the list from the movement of the finger.
    package var hasPan = false
    /// If `attention`, `haptics` or `announcements` is nil, the profile's value applies.
    package var attention: EvaluationTrigger?
    package var haptics: Bool?
    package var announcements: Bool?
    /// How the view gets its first items.
    package var initial = FirstItems.none

    package init(view: ViewID, profile: String) {
        self.view = view
        self.profile = profile
    }
}

/// How a view gets its first items when it is attached. Source: docs/protocol.md, "First items".
public enum FirstItems: String, CaseIterable, WireNamed, Sendable {
    /// The client requests them.
    case none
    /// A load begins.
    case load
    /// The cached first page is sent. If there is none, a load begins.
    case kept
}

/// A new query of a view's feed. Source: docs/protocol.md, "Queries".
package struct QueryChange: Hashable, Sendable {
    /// Nil: the query stays the same.
    package var parameters: [Parameter]?
    /// The number of milliseconds for which the daemon waits for a further query before it requests
    /// the first page. If it is nil, the value of the feed's configuration applies.
    package var debounceMs: Int?
    package var shown = ShownItems.keep

    /// The maximum of `debounceMs`, here and in the configuration.
    package static let debounceMsMax = 60_000

    package init() {}
}

/// What a client shows between a new query and its first page. Source: docs/protocol.md,
/// "Queries".
public enum ShownItems: String, CaseIterable, WireNamed, Sendable {
    /// The items of the old list.
    case keep
    /// No items.
    case clear
}

/// The paging options that a client changes. Source: docs/protocol.md, "Paging".
package struct PagingOverrides: Hashable, Sendable {
    package var style: PagingStyle?
    /// The number of the first page, or the first offset: 0 or 1.
    package var first: Int?
    /// The number of items of a page.
    package var size: Int?
    /// Which pages the view requests.
    package var access: PagingAccess?

    package init() {}
}

/// A client's value for a parameter that the feed declares.
package struct Parameter: Hashable, Sendable {
    package var name: String
    package var value: String

    package init(name: String, value: String) {
        self.name = name
        self.value = value
    }
}
