/// Assembles parts of a path. Contiguous parts are joined into a run, and every run begins with a
/// move.
struct PathCut {
    private(set) var segments: [PathSegment] = []
    /// A move that is not followed by a segment yet.
    private var move: Point?
    /// Whether the pen is at the end of the last added part.
    private var isJoined = false
    /// Whether the run contains the beginning of its sub-path, so that the run can be closed.
    private var isWhole = false

    /// Skips a segment of the path.
    mutating func skip(_ segment: PathSegment) {
        recordMove(segment)
        if segment.isDrawn {
            isJoined = false
            move = nil
        }
    }

    /// Adds the part of a segment between `from` and `to`, 0...1.
    mutating func add(_ segment: PathSegment, from: Double, to: Double) {
        guard segment.isDrawn else { return recordMove(segment) }
        let piece = from == 0 && to == 1 ? segment : segment.piece(from: from, to: to)
        if let move, from == 0 {
            segments.append(.move(move))
            isWhole = true
        } else if !isJoined {
            segments.append(.move(piece.start))
            isWhole = false
        }
        move = nil
        if case .close(let start, let end) = piece, !isWhole {
            segments.append(.line(start, end))
        } else {
            segments.append(piece)
        }
        isJoined = to == 1
    }

    private mutating func recordMove(_ segment: PathSegment) {
        guard case .move(let point) = segment else { return }
        move = point
        isJoined = false
    }
}
