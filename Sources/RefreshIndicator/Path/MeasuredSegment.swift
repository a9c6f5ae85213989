/// A segment with its computed length. It is divided into spans that are so short that one
/// application of a quadrature rule is exact on each span.
struct MeasuredSegment: Hashable {
    /// A range of the segment's parameter.
    private struct Span: Hashable {
        var from: Double
        var to: Double
        /// The length from the beginning of the segment to the end of the span.
        var lengthAtEnd: Double
    }

    /// The maximum error of a span, relative to the segment's size. It is a thousandth of the
    /// permitted total error.
    private static let tolerance = 1e-12
    /// A span of 2^-40 of the parameter is not divided further.
    private static let depthMax = 40
    /// The maximum number of spans of one segment. A curve with two corners needs about 300.
    /// Without a limit, the division might never end, because the two results for a part can
    /// always differ by rounding errors.
    private static let spansMax = 512

    let segment: PathSegment
    private(set) var length = 0.0
    /// The spans. The array is empty if the length grows linearly with the parameter.
    private var spans: [Span] = []

    init(_ segment: PathSegment) {
        self.segment = segment
        switch segment {
        case .move: break
        case .line(let from, let to), .close(let from, let to): length = (to - from).magnitude
        case .arc(let arc) where arc.radiusX == arc.radiusY:
            length = arc.radiusX * arc.growth * arc.sweepAngle.magnitude
        case .quadratic(let from, let control, let to):
            measure(size: (control - from).magnitude + (to - control).magnitude)
        case .cubic(let from, let first, let second, let to):
            let size = (first - from).magnitude + (second - first).magnitude
            measure(size: size + (to - second).magnitude)
        case .arc(let arc):
            measure(size: max(arc.radiusX, arc.radiusY) * arc.growth * arc.sweepAngle.magnitude)
        }
    }

    /// The length up to the parameter `part`, 0...1.
    func length(to part: Double) -> Double {
        if part >= 1 { return length }
        guard let index = spans.firstIndex(where: { part < $0.to }) else { return length * part }
        return lengthBefore(index) + quadrature(from: spans[index].from, to: part)
    }

    /// The parameter at which the length is `target` (0...`length`).
    func parameter(at target: Double) -> Double {
        guard target > 0, length > 0 else { return 0 }
        guard target < length else { return 1 }
        guard !spans.isEmpty else { return target / length }
        var (low, high) = (0, spans.count - 1)
        while low < high {
            let middle = (low + high) / 2
            if spans[middle].lengthAtEnd < target { low = middle + 1 } else { high = middle }
        }
        return parameter(at: target - lengthBefore(low), within: spans[low])
    }

    /// Returns the parameter at which the length from the beginning of `span` is `target`, by
    /// Newton's method. If a step would leave the interval that contains the parameter, the
    /// interval is bisected instead.
    private func parameter(at target: Double, within span: Span) -> Double {
        var (low, high) = (span.from, span.to)
        let whole = quadrature(from: low, to: high)
        var part = whole > 0 ? low + (high - low) * min(target / whole, 1) : low
        for _ in 0..<60 {
            let excess = quadrature(from: span.from, to: part) - target
            if excess.magnitude <= length * 1e-15 { break }
            if excess < 0 { low = part } else { high = part }
            let next = part - excess / segment.derivative(at: part).magnitude
            let isInside = next > low && next < high
            let better = isInside ? next : low + (high - low) / 2
            if better == part { break }
            part = better
        }
        return part
    }

    private func lengthBefore(_ index: Int) -> Double {
        index == 0 ? 0 : spans[index - 1].lengthAtEnd
    }

    /// Divides the segment at its turns (`extrema`), and measures each part separately. At a turn,
    /// the speed of the curve can fall almost to 0 and rise again. The graph of the speed then has
    /// a corner. A quadrature rule can miss a corner that is not at an end of the part.
    private mutating func measure(size: Double) {
        guard size > 0 else { return }
        // A smaller tolerance is below the precision of the numbers, so two results could never
        // agree.
        let tolerance = max(size * Self.tolerance, .leastNormalMagnitude)
        let ends = [0] + segment.extrema.sorted() + [1]
        for (from, to) in zip(ends, ends.dropFirst()) where from < to {
            subdivide(
                from: from, to: to, whole: quadrature(from: from, to: to), depth: 0,
                tolerance: tolerance)
        }
    }

    /// Adds spans for a part of the parameter. `whole` is the length of the part by one application
    /// of the rule. Two spans suffice if their sum agrees with `whole`, and if `isConfirming` is
    /// true. `isConfirming` means that the enclosing part also agreed with the sum of its halves.
    /// In all other cases, the part is divided further, within the limits `depthMax` and
    /// `spansMax`.
    ///
    /// One agreement alone is not sufficient. Beside a corner, the error of the rule changes its
    /// sign as the part becomes smaller. Near such a change, the lengths can agree by chance.
    private mutating func subdivide(
        from: Double, to: Double, whole: Double, depth: Int, tolerance: Double,
        isConfirming: Bool = false
    ) {
        let middle = from + (to - from) / 2
        let (early, late) = (
            quadrature(from: from, to: middle), quadrature(from: middle, to: to)
        )
        let isAgreed = !((early + late - whole).magnitude > tolerance)
        let isEnough = depth == Self.depthMax || spans.count >= Self.spansMax
        if isAgreed && isConfirming || isEnough {
            spans.append(Span(from: from, to: middle, lengthAtEnd: length + early))
            spans.append(Span(from: middle, to: to, lengthAtEnd: length + early + late))
            length += early + late
            return
        }
        subdivide(
            from: from, to: middle, whole: early, depth: depth + 1, tolerance: tolerance,
            isConfirming: isAgreed)
        subdivide(
            from: middle, to: to, whole: late, depth: depth + 1, tolerance: tolerance,
            isConfirming: isAgreed)
    }

    /// The length between two parameters by the Gauss-Legendre rule with ten points: exact for
    /// polynomials up to degree 19.
    private func quadrature(from: Double, to: Double) -> Double {
        let (center, half) = (from + (to - from) / 2, (to - from) / 2)
        var sum = 0.0
        for index in 0..<5 {
            let offset = Self.abscissas[index] * half
            let speeds =
                segment.derivative(at: center - offset).magnitude
                + segment.derivative(at: center + offset).magnitude
            sum += Self.weights[index] * speeds
        }
        return sum * half
    }

    private static let abscissas: [5 of Double] = [
        0.148_874_338_981_631_22, 0.433_395_394_129_247_2, 0.679_409_568_299_024_4,
        0.865_063_366_688_984_5, 0.973_906_528_517_171_7,
    ]
    private static let weights: [5 of Double] = [
        0.295_524_224_714_752_87, 0.269_266_719_309_996_35, 0.219_086_362_515_982_04,
        0.149_451_349_150_580_6, 0.066_671_344_308_688_14,
    ]
}
