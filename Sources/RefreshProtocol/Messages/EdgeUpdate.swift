/// What changed at one edge since the last update; nil where nothing did.
package struct EdgeUpdate: Hashable, Sendable {
    package var state: EdgeState?
    package var progress: Double?
    package var cause: Cause?
    package var result: LoadResult?
    /// The look to be told; compared with what the client knows when it is written.
    package var indicator: IndicatorFrame?

    package init() {}

    @inline(__always)
    package mutating func removeAll() {
        state = nil
        progress = nil
        cause = nil
        result = nil
        indicator = nil
    }

    package var isEmpty: Bool {
        state == nil && progress == nil && cause == nil && result == nil && indicator == nil
    }

    /// Whether there is anything to tell a client that shows `known`.
    @inline(__always)
    func isNews(to known: IndicatorFrame) -> Bool {
        if state != nil || progress != nil || cause != nil || result != nil { return true }
        guard let indicator else { return false }
        return indicator != known
    }
}
