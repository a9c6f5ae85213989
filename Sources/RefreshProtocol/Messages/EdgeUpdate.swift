/// What changed at one edge since the last update; nil where nothing did.
package struct EdgeUpdate: Hashable, Sendable, Codable {
    // First, for it ends in the middle of a word, which the others fill.
    package var progress: Double?
    package var state: EdgeState?
    package var cause: Cause?
    package var result: LoadResult?

    package init() {}

    @inline(__always)
    package mutating func removeAll() {
        state = nil
        progress = nil
        cause = nil
        result = nil
    }

    @inline(__always)
    package var isEmpty: Bool {
        state == nil && progress == nil && cause == nil && result == nil
    }
}
