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
    /// Whether `pan` was present. If it was, even without options, the daemon owns the physics.
    package var hasPan = false
    /// If `attention`, `haptics` or `announcements` is nil, the profile's value applies.
    package var attention: EvaluationTrigger?
    package var haptics: Bool?
    package var announcements: Bool?

    package init(view: ViewID, profile: String) {
        self.view = view
        self.profile = profile
    }
}

/// The paging options that a client changes. Source: docs/protocol.md, "Paging".
package struct PagingOverrides: Hashable, Sendable {
    package var style: PagingStyle?
    /// The number of the first page or offset: 0 or 1.
    package var first: Int?
    /// The number of items of a page.
    package var size: Int?

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
