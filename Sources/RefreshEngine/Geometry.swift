package import RefreshProtocol

/// An end of a view along its axis, in reading direction. It can be an edge of any role.
enum ViewEnd {
    case start
    case end
}

/// The sizes of a view along its axis, in points and in reading direction.
///
/// The physical beginning of the axis is the top or the left, and the physical end is the bottom or
/// the right. Reading begins at the refresh edge. For a reversed list, and for a horizontal list
/// from right to left, the refresh edge is at the physical end. The engine uses only "places":
/// offsets in points from the end where reading begins, in reading direction. Only this type
/// mirrors the offsets of lists that are read from the physical end.
package struct Geometry: Hashable, Sendable, Codable {
    package private(set) var viewportLength = 0.0
    package private(set) var contentLength = 0.0
    /// The distances between the content at rest and the two ends of the viewport. They result from
    /// the host's insets, safe area and bars.
    package private(set) var startInset = 0.0
    package private(set) var endInset = 0.0
    /// The host's insets and safe area at the two physical ends of the axis, in points.
    private var nearHost = 0.0
    private var farHost = 0.0
    private var nearSafe = 0.0
    private var farSafe = 0.0
    /// The part of the top that bars cover, and the additional height of a search bar.
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

    /// The place at which the list rests at its start, without the daemon's share.
    package var restingOffset: Double { 0 - startInset }

    /// The farthest place at which the list can rest, without the daemon's share. If the content is
    /// short, it is the resting offset.
    package var endOffset: Double {
        isContentShort ? restingOffset : contentLength + endInset - viewportLength
    }

    /// Whether the content and its insets do not fill the viewport.
    package var isContentShort: Bool {
        contentLength + startInset + endInset < viewportLength
    }

    /// Whether the size of the viewport is known. Without it, the engine cannot decide whether the
    /// list is at its end.
    package var isMeasured: Bool { viewportLength > 0 }

    /// The places at which the list can rest, including the room that the daemon holds, in points.
    package func range(startShare: Double, endShare: Double) -> ClosedRange<Double> {
        let lower = restingOffset - startShare
        return lower...max(lower, contentLength + endInset + endShare - viewportLength)
    }

    /// Converts a physical content offset to a place, or a place to a physical content offset.
    @inline(__always)
    package func mirrored(_ offset: Double) -> Double {
        isMirrored ? contentLength - viewportLength - offset : offset
    }

    /// Converts a distance or velocity along the axis between reading direction and physical
    /// direction.
    @inline(__always)
    package func mirrored(distance: Double) -> Double { isMirrored ? 0 - distance : distance }

    /// Converts an item's physical position to a place.
    package func mirrored(_ anchor: Anchor) -> Anchor {
        isMirrored
            ? Anchor(name: anchor.name, position: contentLength - anchor.position) : anchor
    }

    package mutating func apply(_ change: GeometryChange) {
        // A member that the change omits keeps its value.
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

    /// The inset at the physical beginning of the axis, including the bars that cover the top.
    private var nearInset: Double {
        switch layout.axis {
        case .vertical:
            nearHost + max(nearSafe, cover.bottom) + search.room
        case .horizontal: nearHost + nearSafe
        }
    }

    private var farInset: Double { farHost + farSafe }
}
