/// The changes at one edge since the last update. A value that did not change is nil.
package struct EdgeUpdate: Hashable, Sendable, Codable {
    // The largest member is first. It has 9 bytes, so it ends in the middle of a machine word, and
    // the other members fill the rest of that word.
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
