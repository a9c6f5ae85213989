/// The outcome of a load that the client itself performed. Source: docs/protocol.md,
/// "loadFinished".
package struct LoadReport: Hashable, Sendable {
    package var load: LoadID
    package var result: LoadResult
    /// The number of received items.
    package var count: Int
    /// Whether more items follow. If it is nil, the daemon derives this from `count`.
    package var more: Bool?
    package var cursor: String?

    package init(
        load: LoadID, result: LoadResult, count: Int = 0, more: Bool? = nil, cursor: String? = nil
    ) {
        self.load = load
        self.result = result
        self.count = count
        self.more = more
        self.cursor = cursor
    }
}
