extension SVGPath {
    /// Each segment halved so many times, `2^times` pieces by De Casteljau's division; moves and
    /// closing edges stay as they are. Less than 0 counts as 0, more than `PathLimits.smoothingMax`
    /// as that.
    package func smoothed(_ times: Int) -> SVGPath {
        let pieces = Self.pieces(times)
        guard pieces > 1 else { return self }
        return SVGPath(
            segments: segments.flatMap { segment in
                let count = segment.pieces(pieces)
                guard count > 1 else { return [segment] }
                return (0..<count).map {
                    segment.piece(
                        from: Double($0) / Double(count), to: Double($0 + 1) / Double(count))
                }
            })
    }

    /// How many pieces a segment is cut into.
    static func pieces(_ times: Int) -> Int { 1 << min(max(times, 0), PathLimits.smoothingMax) }
}

extension PathSegment {
    /// How many nodes it has where others have `pieces`.
    func pieces(_ pieces: Int) -> Int {
        switch self {
        case .move, .close: 1
        case .line, .quadratic, .cubic, .arc: pieces
        }
    }
}
