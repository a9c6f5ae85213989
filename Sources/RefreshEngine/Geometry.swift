package import RefreshProtocol

/// The sizes of a view along its axis, points, in the direction in which it is read.
///
/// Reading begins at the refresh edge, wherever that lies: the engine knows offsets only as
/// distances from there ("places"). In a view that is read from its physical end (a reversed list,
/// a horizontal one from right to left) everything is mirrored here, and nowhere else.
package struct Geometry: Hashable, Sendable, Codable {
    package private(set) var viewportLength = 0.0
    package private(set) var contentLength = 0.0
    /// The distances at which the content rests from the two ends of the viewport, by the host's
    /// insets, safe area and bars.
    package private(set) var startInset = 0.0
    package private(set) var endInset = 0.0
    /// What the host says of the two physical ends of the axis, points.
    private var nearHost = 0.0
    private var farHost = 0.0
    private var nearSafe = 0.0
    private var farSafe = 0.0
    /// What bars cover of the top, and what a search bar adds.
    private var cover = TopBars()
    private var search = SearchBar()
    package let layout: ViewLayout
    /// Whether reading begins at the physical end.
    package private(set) var isMirrored: Bool
    private var direction = LayoutDirection.leftToRight

    package init(_ layout: ViewLayout) {
        self.layout = layout
        self.isMirrored = layout.isReversed
    }

    /// Where the list rests at its start, without what the daemon adds.
    package var restingOffset: Double { 0 - startInset }

    /// The farthest place without over-scrolling, without what the daemon adds; the resting offset
    /// if the content is short.
    package var endOffset: Double {
        isContentShort ? restingOffset : contentLength + endInset - viewportLength
    }

    /// Whether the content and its insets do not fill the viewport.
    package var isContentShort: Bool {
        contentLength + startInset + endInset < viewportLength
    }

    /// Whether the viewport is known; before that nothing can be decided about the end.
    package var isMeasured: Bool { viewportLength > 0 }

    /// The places at which the list can rest, with the room that the daemon holds, points.
    package func range(startShare: Double, endShare: Double) -> ClosedRange<Double> {
        let lower = restingOffset - startShare
        return lower...max(lower, contentLength + endInset + endShare - viewportLength)
    }

    /// The place of a physical content offset, and the other way round.
    @inline(__always)
    package func mirrored(_ offset: Double) -> Double {
        isMirrored ? contentLength - viewportLength - offset : offset
    }

    /// A way or velocity along the axis, in reading direction or physically.
    @inline(__always)
    package func mirrored(way: Double) -> Double { isMirrored ? 0 - way : way }

    /// An item's place for where it physically is.
    package func mirrored(_ anchor: Anchor) -> Anchor {
        isMirrored
            ? Anchor(name: anchor.name, position: contentLength - anchor.position) : anchor
    }

    package mutating func apply(_ change: GeometryChange) {
        // What is left out keeps its value, member by member.
        if let length = change.viewport.flatMap(length) { viewportLength = length }
        if let length = change.content.flatMap(length) { contentLength = length }
        if let insets = change.insets { merge(insets, into: &nearHost, &farHost) }
        if let safeArea = change.safeArea { merge(safeArea, into: &nearSafe, &farSafe) }
        if let bars = change.bars {
            cover.merge(bars)
            search.merge(bars)
        }
        if let direction = change.direction { self.direction = direction }
        let isRightToLeft = layout.axis == .horizontal && direction == .rightToLeft
        isMirrored = layout.isReversed != isRightToLeft
        startInset = isMirrored ? farInset : nearInset
        endInset = isMirrored ? nearInset : farInset
    }

    private func length(of size: SizeChange) -> Double? {
        switch layout.axis {
        case .vertical: size.height
        case .horizontal: size.width
        }
    }

    private func merge(_ insets: EdgeInsets, into near: inout Double, _ far: inout Double) {
        switch layout.axis {
        case .vertical:
            near = insets.top ?? near
            far = insets.bottom ?? far
        case .horizontal:
            near = insets.left ?? near
            far = insets.right ?? far
        }
    }

    /// At the physical beginning of the axis. Bars lie over the top.
    private var nearInset: Double {
        switch layout.axis {
        case .vertical:
            nearHost + max(nearSafe, cover.bottom) + search.room
        case .horizontal: nearHost + nearSafe
        }
    }

    private var farInset: Double { farHost + farSafe }
}
