/// The vertical scale of a lane, in points.
struct ValueScale {
    let top: Double
    let height: Double
    let range: ClosedRange<Double>
    /// Whether larger values are drawn lower, like offsets in a list.
    let growsDown: Bool

    /// Creates a scale for the range of the values, with some margin.
    init(_ values: [Double], top: Double, height: Double, growsDown: Bool = false) {
        self.top = top
        self.height = height
        self.growsDown = growsDown
        // A journal can contain impossible values, which are drawn at the border.
        let drawable = values.map(SVGNumber.clamped)
        let least = drawable.min() ?? 0
        let most = drawable.max() ?? 1
        let room = max((most - least) * 0.08, most == least ? 1 : 0)
        range = (least - room)...(most + room)
    }

    init(_ range: ClosedRange<Double>, top: Double, height: Double) {
        self.top = top
        self.height = height
        self.range = range
        growsDown = false
    }

    func y(_ value: Double) -> Double {
        let part = (value - range.lowerBound) / (range.upperBound - range.lowerBound)
        return top + height * (growsDown ? part : 1 - part)
    }

    /// The values at which the axis has labels. They are a few round values within the range.
    var ticks: [Double] {
        let span = range.upperBound - range.lowerBound
        let steps = [1.0, 2, 5].flatMap { step in
            [0.1, 1, 10, 100, 1000, 10_000, 100_000, 1_000_000].map { step * $0 }
        }.sorted()
        guard let step = steps.first(where: { span / $0 <= 4.5 }) else { return [] }
        let first = (range.lowerBound / step).rounded(.up) * step
        return Array(stride(from: first, through: range.upperBound, by: step))
    }
}
