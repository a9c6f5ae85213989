/// The request to create a view. Source: docs/protocol.md, "attach".
package struct Attach: Hashable, Sendable {
    package var view: ViewID
    package var profile: String
    /// Nil: the client itself is the backend.
    package var feed: String?
    package var parameters: [Parameter] = []
    package var geometry = GeometryChange()
    /// Points; nil: at rest where reading begins.
    package var offset: Double?
    package var layout = ViewLayout()
    package var edges = EdgeSettings()
    package var paging: PagingOverrides?
    package var pan: [OptionSetting] = []
    /// Whether `pan` was present, even without options: the daemon then owns the physics.
    package var hasPan = false
    /// Nil: the profile's value. The same holds for the next two properties.
    package var attention: EvaluationTrigger?
    package var haptics: Bool?
    package var announcements: Bool?

    package init(view: ViewID, profile: String) {
        self.view = view
        self.profile = profile
    }
}
