/// Puts parts of a path together again: what continues is joined, every run begins with a move.
struct PathCut {
    private(set) var segments: [PathSegment] = []
    /// The move that has not been followed by anything yet.
    private var move: Point?
    /// Whether the pen is where the last added part ends.
    private var isJoined = false
    /// Whether the run has its sub-path's beginning, so that it can be closed.
    private var isWhole = false

    /// A segment of the path of which nothing is wanted.
    mutating func leaveOut(_ segment: PathSegment) {
        note(segment)
        if segment.isDrawn {
            isJoined = false
            move = nil
        }
    }

    /// A segment of the path, of which the part between `from` and `to`, 0...1, is wanted.
    mutating func add(_ segment: PathSegment, from: Double, to: Double) {
        guard segment.isDrawn else { return note(segment) }
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

    private mutating func note(_ segment: PathSegment) {
        guard case .move(let point) = segment else { return }
        move = point
        isJoined = false
    }
}
