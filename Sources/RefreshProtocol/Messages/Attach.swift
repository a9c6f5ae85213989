/// A view comes into being. Source: docs/protocol.md, "attach".
package struct Attach: Hashable, Sendable {
    package var view: ViewID
    package var profile: String
    /// Nil: the client itself is the backend.
    package var feed: String?
    package var parameters: [Parameter] = []
    package var geometry = GeometryChange()
    /// Points; nil: at rest at the top.
    package var offset: Double?
    package var top: EdgeSetting = .unchanged
    package var bottom: EdgeSetting = .unchanged
    package var paging: PagingOverrides?

    package init(view: ViewID, profile: String) {
        self.view = view
        self.profile = profile
    }
}
