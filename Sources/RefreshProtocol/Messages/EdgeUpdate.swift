/// The changes at one edge since the last update; nil for a value that did not change.
package struct EdgeUpdate: Hashable, Sendable, Codable {
    // First, because it ends in the middle of a word, which the other members fill.
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
