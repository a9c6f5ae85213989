internal import RefreshBroker
internal import RefreshProtocol

/// The properties of a feed that its backend needs.
struct FeedInput {
    let name: String
    let paging: PagingStyle
    let first: Int
    let parameters: [FeedParameter]
    let forward: [String]
}
