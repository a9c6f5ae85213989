import RefreshIndicator

/// The properties of every path that was parsed.
struct PathProperties {
    private let path: SVGPath
    private let measured: MeasuredPath
    /// The largest absolute coordinate of the path, control points included. Rounding errors are
    /// proportional to this number.
    private let scale: Double

    /// Whether there is only one sub-path. The distance between two of its points is then at most
    /// the length of the path between these points.
    private let isConnected: Bool

    /// The tolerance of a position in points. Below 1e-300, numbers lose precision.
    private var placeError: Double { scale * 1e-12 + 1e-300 }
    /// The tolerance for the difference of two lengths in points. Each length may be inaccurate by
    /// 1e-9 of the path's whole length.
    private var lengthError: Double { measured.length * 2e-9 + placeError }

    init(_ path: SVGPath) {
        self.path = path
        measured = MeasuredPath(path)
        scale = path.segments.reduce(0) { max($0, $1.reach) }
        isConnected = path.segments.count { !$0.isDrawn } == 1
    }

    func check(with fractions: inout Fractions) {
        checkShape()
        checkText()
        checkNodes(smoothing: fractions.index(below: 9) - 1)
        checkSmoothing(1)
        checkSmoothing(fractions.index(below: 9) - 1)
        checkFitting()
        for fraction in [0, 1, -0.5, 1.5, .nan, .infinity, -.infinity, fractions.next()] {
            checkPoint(at: fraction)
        }
        checkWay(from: fractions.next(), to: fractions.next())
        checkPiece(from: fractions.next(), to: fractions.next())
        checkPiece(from: -1, to: fractions.next())
        checkPiece(from: fractions.next(), to: .infinity)
        checkPiece(from: .nan, to: fractions.next())
    }

    /// Checks that segments are connected, and that their bounds and lengths are consistent.
    private func checkShape() {
        require(
            path.segments.count <= PathLimits.segmentsMax,
            "a path has at most `segmentsMax` segments")
        require(path.segments.first?.isDrawn != true, "a path begins with a move")
        require(
            measured.length.isFinite && measured.length >= 0, "a length is finite and not negative")
        guard let box = path.bounds else {
            require(
                !path.segments.contains(where: \.isDrawn),
                "only a path that draws nothing has no bounds")
            require(measured.length == 0, "a path without bounds has no length")
            return
        }
        require(
            box.isFinite && box.width >= 0 && box.height >= 0, "bounds are finite and not negative")
        var pen: Point?
        var chords = 0.0
        for segment in path.segments {
            if segment.isDrawn {
                require(segment.start == pen, "a segment begins where the previous segment ended")
                require(
                    box.holds(segment.start) && box.holds(segment.end),
                    "the bounds contain the ends of all segments")
                chords += segment.start.distance(to: segment.end)
            }
            pen = segment.end
        }
        require(measured.length >= chords - lengthError, "a path is at least as long as its chords")
        require(
            !isConnected || max(box.width, box.height) <= measured.length + lengthError,
            "a connected path is at least as long as its bounds")
    }

    private func checkText() {
        do throws(SVGPathError) {
            let again = try SVGPath(parsing: path.text)
            require(again == path, "the text of a path is parsed as the same path")
        } catch {
            require(false, "the text of a path can be parsed: \(error)")
        }
    }

    private func checkNodes(smoothing: Int) {
        let fractions = measured.nodeFractions(smoothing: smoothing)
        require(fractions.count >= path.segments.count, "each segment has a node")
        require(
            fractions.allSatisfy { (0...1).contains($0) }, "the fraction of a node is in 0...1")
        require(
            zip(fractions, fractions.dropFirst()).allSatisfy { $0 <= $1 + 1e-12 },
            "the fractions of the nodes do not decrease")
        require(
            fractions.count < 2 || fractions.last == 1,
            "with the last node, the whole path is drawn")
    }

    private func checkSmoothing(_ times: Int) {
        let smooth = path.smoothed(times)
        let nodes = measured.nodeFractions(smoothing: times).count
        require(smooth.segments.count == nodes, "a smoothed path has one segment for each node")
        require(
            (smooth.length - measured.length).magnitude <= lengthError,
            "smoothing does not change the length")
        guard let box = path.bounds, let other = smooth.bounds else {
            require(
                path.bounds == nil && smooth.bounds == nil,
                "a path without bounds has no bounds after smoothing")
            return
        }
        require(
            box.holds(other, within: placeError) && other.holds(box, within: placeError),
            "smoothing does not change the bounds")
    }

    private func checkFitting() {
        let frame = Box(minX: -10, minY: 5, maxX: 90, maxY: 85)
        let fitted = path.fitted(into: frame)
        require(fitted.segments.count == path.segments.count, "fitting keeps the segments")
        guard let box = path.bounds, let result = fitted.bounds else { return }
        require(result.isFinite, "the bounds of a fitted path are finite")
        let factor = min(frame.width / box.width, frame.height / box.height)
        guard factor.isFinite, (factor * scale).isFinite else { return }
        require(
            frame.holds(result, within: (factor * scale + 100) * 1e-12),
            "a fitted path lies in the frame")
    }

    private func checkPoint(at fraction: Double) {
        guard let point = measured.point(at: fraction) else {
            require(path.bounds == nil, "only a path that draws nothing has no points")
            return
        }
        require(
            path.bounds?.holds(point, within: placeError) == true, "a point lies in the bounds")
    }

    private func checkWay(from: Double, to: Double) {
        guard isConnected, from < to, let start = measured.point(at: from),
            let end = measured.point(at: to)
        else { return }
        let way = (to - from) * measured.length
        require(
            start.distance(to: end) <= way + lengthError,
            "two points are not farther apart than the path between them")
        // The piece is empty if its length is rounded to zero.
        let piece = measured.path(from: from, to: to).segments
        guard let first = piece.first, let last = piece.last else {
            require(
                way <= placeError, "a piece between two fractions is empty only if it has no length"
            )
            return
        }
        require(
            first.end.distance(to: start) <= lengthError,
            "a piece begins at the point of its first fraction")
        require(
            last.end.distance(to: end) <= lengthError,
            "a piece ends at the point of its last fraction")
    }

    private func checkPiece(from: Double, to: Double) {
        let piece = measured.path(from: from, to: to)
        guard from < to else {
            require(
                piece.segments.isEmpty,
                "a piece is empty if its first fraction is not before its last")
            return
        }
        let part = min(max(to, 0), 1) - min(max(from, 0), 1)
        require(
            (piece.length - measured.length * part).magnitude <= lengthError,
            "the length of a piece is proportional to its part of the path")
        guard let box = path.bounds, let own = piece.bounds else { return }
        require(box.holds(own, within: placeError), "a piece lies in the bounds of the path")
        require(
            piece.segments.count <= 2 * path.segments.count + 1,
            "a piece has at most twice the segments of the path, and one more")
        _ = piece.text
    }
}
