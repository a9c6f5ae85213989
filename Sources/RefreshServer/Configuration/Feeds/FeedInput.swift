internal import RefreshBroker
internal import RefreshProtocol

/// What a backend needs to know of its feed.
struct FeedInput {
    let name: String
    let paging: PagingStyle
    let first: Int
    let parameters: [FeedParameter]
    let forward: [String]
}
