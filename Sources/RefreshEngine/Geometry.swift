package import RefreshProtocol

/// The sizes of a view along its axis, points.
package struct Geometry: Hashable, Sendable {
    package private(set) var viewportLength = 0.0
    package private(set) var contentLength = 0.0
    /// The distance from the top at which the content rests, by the host's insets, safe area and bars.
    package private(set) var topInset = 0.0
    package private(set) var bottomInset = 0.0
    private var insets = EdgeInsets.zero
    private var safeArea = EdgeInsets.zero
    private var bars = Bars.none

    package init() {}

    /// The content offset at rest at the top, without what the daemon adds.
    package var restingOffset: Double { 0 - topInset }

    /// The largest content offset without over-scrolling, without what the daemon adds; the resting
    /// offset if the content is short.
    package var endOffset: Double {
        isContentShort ? restingOffset : contentLength + bottomInset - viewportLength
    }

    /// Whether the content and its insets do not fill the viewport.
    package var isContentShort: Bool {
        contentLength + topInset + bottomInset < viewportLength
    }

    /// Whether the viewport is known; before that nothing can be decided about the end.
    package var isMeasured: Bool { viewportLength > 0 }

    package mutating func apply(_ change: GeometryChange) {
        if let viewport = change.viewport { viewportLength = viewport.height }
        if let content = change.content { contentLength = content.height }
        if let insets = change.insets { self.insets = insets }
        if let safeArea = change.safeArea { self.safeArea = safeArea }
        if let bars = change.bars { self.bars = bars }
        topInset =
            insets.top + max(safeArea.top, bars.status, bars.navigationBottom) + bars.activeSearch
        bottomInset = insets.bottom + safeArea.bottom
    }
}
