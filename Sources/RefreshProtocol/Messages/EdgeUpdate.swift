/// What changed at one edge since the last update; nil where nothing did.
package struct EdgeUpdate: Hashable, Sendable {
    package var state: EdgeState?
    package var cause: Cause?
    package var result: LoadResult?
    package var progress: Double? {
        @inline(__always) get { hasProgress ? progressValue : nil }
        @inline(__always) set {
            hasProgress = newValue != nil
            progressValue = newValue ?? 0
        }
    }
    // Apart: an optional number would take a word more, and two wait in every view.
    private var hasProgress = false
    private var progressValue = 0.0

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
        state == nil && !hasProgress && cause == nil && result == nil
    }
}
