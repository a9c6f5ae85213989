extension SVGPath {
    /// The path after each segment was halved `times` times. By De Casteljau's algorithm, this
    /// gives `2^times` pieces of each segment. Moves and closing edges stay unchanged. `times` is
    /// clamped to 0...`PathLimits.smoothingMax`.
    package func smoothed(_ times: Int) -> SVGPath {
        let pieces = Self.pieceCount(times)
        guard pieces > 1 else { return self }
        return SVGPath(
            segments: segments.flatMap { segment in
                let count = segment.pieceCount(pieces)
                guard count > 1 else { return [segment] }
                return (0..<count).map {
                    segment.piece(
                        from: Double($0) / Double(count), to: Double($0 + 1) / Double(count))
                }
            })
    }

    /// The number of pieces of a segment after `times` halvings.
    static func pieceCount(_ times: Int) -> Int { 1 << min(max(times, 0), PathLimits.smoothingMax) }
}

extension PathSegment {
    /// The number of nodes of this segment: one for a move or a closing edge, and `pieces` for
    /// every other segment.
    func pieceCount(_ pieces: Int) -> Int {
        switch self {
        case .move, .close: 1
        case .line, .quadratic, .cubic, .arc: pieces
        }
    }
}
