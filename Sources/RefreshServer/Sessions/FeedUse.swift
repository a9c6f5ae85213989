import RefreshBroker
import RefreshProtocol

/// The feed that a view is attached to, and what its loads take along. Apart from the view, which most of the
/// time looks at none of it.
final class FeedUse {
    let name: String
    let parameters: [LoadParameter]
    /// Those of the client's headers that the feed passes on.
    let headers: [HeaderField]
    /// What tells the items apart that the list has.
    var shownItems = ShownItems()

    init(name: String, parameters: [LoadParameter], headers: [HeaderField]) {
        self.name = name
        self.parameters = parameters
        self.headers = headers
    }
}
