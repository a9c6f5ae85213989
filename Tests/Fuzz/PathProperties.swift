import RefreshIndicator

/// The properties of every path that was parsed.
struct PathProperties {
    private let path: SVGPath
    private let measured: MeasuredPath
    /// The largest coordinate in points, control points included. Rounding errors are proportional
    /// to it.
    private let scale: Double

    /// Whether there is only one sub-path. The distance between two of its points is then at most
    /// the length between them.
    private let isConnected: Bool

    /// The tolerance of a position in points. Below 1e-300, numbers lose precision.
    private var placeError: Double { scale * 1e-12 + 1e-300 }
    /// The tolerance for the difference of two lengths in points. Each may be inaccurate by 1e-9 of
    /// the length.
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
        require(path.segments.count <= PathLimits.segmentsMax, "no path is longer than allowed")
        require(path.segments.first?.isDrawn != true, "a path begins with a move")
        require(measured.length.isFinite && measured.length >= 0, "a length is a number")
        guard let box = path.bounds else {
            require(!path.segments.contains(where: \.isDrawn), "only what is not drawn has no box")
            require(measured.length == 0, "what has no box has no length")
            return
        }
        require(box.isFinite && box.width >= 0 && box.height >= 0, "a box is one")
        var pen: Point?
        var chords = 0.0
        for segment in path.segments {
            if segment.isDrawn {
                require(segment.start == pen, "a segment begins where the last one ended")
                require(
                    box.holds(segment.start) && box.holds(segment.end), "a box holds all ends")
                chords += segment.start.distance(to: segment.end)
            }
            pen = segment.end
        }
        require(measured.length >= chords - lengthError, "nothing is shorter than its chords")
        require(
            !isConnected || max(box.width, box.height) <= measured.length + lengthError,
            "a line is as long as its box")
    }

    private func checkText() {
        do throws(SVGPathError) {
            let again = try SVGPath(parsing: path.text)
            require(again == path, "a path reads back as itself")
        } catch {
            require(false, "a path's text is one: \(error)")
        }
    }

    private func checkNodes(smoothing: Int) {
        let fractions = measured.nodeFractions(smoothing: smoothing)
        require(fractions.count >= path.segments.count, "each segment has a node")
        require(
            fractions.allSatisfy { (0...1).contains($0) }, "a node's fraction is one")
        require(
            zip(fractions, fractions.dropFirst()).allSatisfy { $0 <= $1 + 1e-12 },
            "nodes come in order")
        require(fractions.count < 2 || fractions.last == 1, "with the last node all is drawn")
    }

    private func checkSmoothing(_ times: Int) {
        let smooth = path.smoothed(times)
        let nodes = measured.nodeFractions(smoothing: times).count
        require(smooth.segments.count == nodes, "a smoothed path has the nodes foretold")
        require(
            (smooth.length - measured.length).magnitude <= lengthError,
            "smoothing changes no length")
        guard let box = path.bounds, let other = smooth.bounds else {
            require(path.bounds == nil && smooth.bounds == nil, "smoothing draws the same")
            return
        }
        require(
            box.holds(other, within: placeError) && other.holds(box, within: placeError),
            "smoothing changes no box")
    }

    private func checkFitting() {
        let frame = Box(minX: -10, minY: 5, maxX: 90, maxY: 85)
        let fitted = path.fitted(into: frame)
        require(fitted.segments.count == path.segments.count, "fitting keeps the segments")
        guard let box = path.bounds, let result = fitted.bounds else { return }
        require(result.isFinite, "a fitted box is one")
        let factor = min(frame.width / box.width, frame.height / box.height)
        guard factor.isFinite, (factor * scale).isFinite else { return }
        require(
            frame.holds(result, within: (factor * scale + 100) * 1e-12), "what is fitted fits")
    }

    private func checkPoint(at fraction: Double) {
        guard let point = measured.point(at: fraction) else {
            require(path.bounds == nil, "only on what is not drawn there is no point")
            return
        }
        require(
            path.bounds?.holds(point, within: placeError) == true, "a point lies in the box")
    }

    private func checkWay(from: Double, to: Double) {
        guard isConnected, from < to, let start = measured.point(at: from),
            let end = measured.point(at: to)
        else { return }
        let way = (to - from) * measured.length
        require(start.distance(to: end) <= way + lengthError, "a point moves as far as is drawn")
        // The path is empty if its whole length is rounded away.
        let piece = measured.path(from: from, to: to).segments
        guard let first = piece.first, let last = piece.last else {
            require(way <= placeError, "a way has a piece")
            return
        }
        require(first.end.distance(to: start) <= lengthError, "a piece begins where it should")
        require(last.end.distance(to: end) <= lengthError, "a piece ends where it should")
    }

    private func checkPiece(from: Double, to: Double) {
        let piece = measured.path(from: from, to: to)
        guard from < to else {
            require(piece.segments.isEmpty, "between no fractions is nothing")
            return
        }
        let part = min(max(to, 0), 1) - min(max(from, 0), 1)
        require(
            (piece.length - measured.length * part).magnitude <= lengthError,
            "a piece is as long as its part")
        guard let box = path.bounds, let own = piece.bounds else { return }
        require(box.holds(own, within: placeError), "a piece lies in the whole")
        require(
            piece.segments.count <= 2 * path.segments.count + 1, "a piece has no more to draw")
        _ = piece.text
    }
}
