/// A path with precomputed lengths. It is created once for each programme, so that an event does
/// not compute the lengths again.
///
/// A fraction (0...1) refers to the total length. Values outside 0...1 are clamped. Moves have no
/// length.
package struct MeasuredPath: Hashable, Sendable {
    package let path: SVGPath
    /// The length in points.
    package let length: Double

    private let segments: [MeasuredSegment]
    /// For each segment, the length of all segments before it.
    private let starts: [Double]

    package init(_ path: SVGPath) {
        self.path = path
        segments = path.segments.map(MeasuredSegment.init)
        var sum = 0.0
        var starts: [Double] = []
        starts.reserveCapacity(segments.count)
        for segment in segments {
            starts.append(sum)
            sum += segment.length
        }
        self.starts = starts
        length = sum
    }

    /// The position of the pen after `fraction` of the length was drawn. Nil if the path draws
    /// nothing.
    ///
    /// At the border between two sub-paths, the position is the end of the first sub-path.
    package func point(at fraction: Double) -> Point? {
        let target = distance(fraction)
        guard let index = index(at: target) else {
            return path.segments.first { $0.isDrawn }?.start
        }
        let segment = segments[index]
        return segment.segment.point(at: segment.parameter(at: target - starts[index]))
    }

    /// The part between two fractions. Each contiguous run of segments begins with a move. If
    /// `from` is not before `to`, the part is empty. If the fractions cover 0 to 1, the result is
    /// the whole path. If the part lacks the beginning of a closed sub-path, the closing edge
    /// becomes a line.
    package func path(from: Double, to: Double) -> SVGPath {
        guard from < to else { return SVGPath(segments: []) }
        if from <= 0, to >= 1 { return path }
        let (first, last) = (distance(from), distance(to))
        var cut = PathCut()
        for (index, segment) in segments.enumerated() {
            let (start, end) = (starts[index], starts[index] + segment.length)
            guard end >= first, start <= last else {
                cut.skip(segment.segment)
                continue
            }
            if segment.length > 0, end <= first || start >= last {
                cut.skip(segment.segment)
                continue
            }
            cut.add(
                segment.segment, from: first <= start ? 0 : segment.parameter(at: first - start),
                to: last >= end ? 1 : segment.parameter(at: last - start))
        }
        return SVGPath(segments: cut.segments)
    }

    /// The fractions that `SVGPath.nodeFractions` describes.
    package func nodeFractions(smoothing: Int) -> [Double] {
        let pieces = SVGPath.pieceCount(smoothing)
        var fractions: [Double] = []
        for (index, segment) in segments.enumerated() {
            let count = segment.segment.pieceCount(pieces)
            for piece in 1...count {
                let travelled = starts[index] + segment.length(to: Double(piece) / Double(count))
                fractions.append(length > 0 ? min(travelled / length, 1) : 0)
            }
        }
        // The drawing is complete with the last node, even if that node has no length.
        if fractions.count > 1 { fractions[fractions.count - 1] = 1 }
        return fractions
    }

    private func distance(_ fraction: Double) -> Double {
        // NaN counts as 0.
        fraction > 0 ? min(fraction, 1) * length : 0
    }

    /// The index of the segment that contains `target`, a length from the beginning. Nil if no
    /// segment has a length.
    private func index(at target: Double) -> Int? {
        var (low, high) = (0, segments.count)
        while low < high {
            let middle = (low + high) / 2
            if starts[middle] + segments[middle].length < target {
                low = middle + 1
            } else {
                high = middle
            }
        }
        // Segments without a length are skipped. Because of rounding errors, `target` can lie
        // beyond the end of the last segment.
        if let index = segments[low...].firstIndex(where: { $0.length > 0 }) { return index }
        return segments.lastIndex { $0.length > 0 }
    }
}
