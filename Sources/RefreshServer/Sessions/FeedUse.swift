import RefreshBroker
import RefreshProtocol

/// The feed that a view is attached to, and what its loads take along. Apart from the view, which
/// most of the time looks at none of it.
final class FeedUse {
    let name: String
    let parameters: [LoadParameter]
    /// The bytes that they take, about.
    let parameterBytes: Int
    /// Those of the client's headers that the feed passes on.
    var headers: [HeaderField]
    /// What tells the items apart that the list has.
    var shownItems: ShownItems
    /// The number of the last load whose items were sent; 0: none were.
    var delivered: UInt32

    init(
        name: String, parameters: [LoadParameter], headers: [HeaderField],
        shownItems: ShownItems = ShownItems(), delivered: UInt32 = 0
    ) {
        self.name = name
        self.parameters = parameters
        parameterBytes = parameters.heldBytes
        self.headers = headers
        self.shownItems = shownItems
        self.delivered = delivered
    }
}
