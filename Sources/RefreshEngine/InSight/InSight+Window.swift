import RefreshProtocol

/// Which pages a list needs as it moves.
extension InSight {
    /// The pages that a list needs.
    struct Window: Hashable, Sendable {
        /// The pages to request, the most urgent first.
        var wanted: [Int]
        /// The pages whose loads continue. All other loads are cancelled.
        var kept: ClosedRange<Int>
    }

    /// The pages that the list needs; nil if the client shows no row of the list.
    ///
    /// | the list | pages that are requested |
    /// |---|---|
    /// | rests | those in sight |
    /// | is moved by hand, at most four screens a second | those in sight and ahead |
    /// | coasts, and stops within a quarter of a screen | those in sight and ahead |
    /// | coasts, and stops within a screen | those where it stops |
    /// | is faster | none |
    func window(_ movement: Movement, size: Int) -> Window? {
        guard let rows, let total, total > 0 else { return nil }
        let last = Double(total - 1)
        let sight = min(Double(rows.first), last)...min(Double(rows.last), last)
        let count = sight.upperBound - sight.lowerBound + 1
        let isResting = movement == .resting || restsAt == .never
        let lead = isResting ? 0 : (speed?.rowsPerSecond ?? 0) * Self.leadTime
        let target = Self.moved(sight, by: lead, last)
        var needed: ClosedRange<Double>? = sight
        if !isResting {
            switch movement {
            case .held where lead.magnitude <= 2 * count:
                let screen = lead == 0 ? 0 : lead < 0 ? min(lead, -count) : max(lead, count)
                needed = Self.union(sight, Self.moved(sight, by: screen, last))
            case .held: needed = nil
            case .coasting, .resting:
                needed =
                    lead.magnitude * 4 <= count
                    ? Self.union(sight, target) : lead.magnitude <= count ? target : nil
            }
        }
        let all = Self.union(Self.union(sight, target), needed ?? sight)
        return Window(
            wanted: needed.map { Self.pages($0, size, isBackward: lead < 0) } ?? [],
            // A list that turns or stops is likely to need the pages next to it again.
            kept: Int(all.lowerBound) / size - 1...Int(all.upperBound) / size + 1)
    }

    /// The pages of a range of rows, in the direction of the movement.
    private static func pages(
        _ rows: ClosedRange<Double>, _ size: Int, isBackward: Bool
    ) -> [Int] {
        let end = min(Int(rows.upperBound) / size, PageSet.pagesMax - 1)
        let start = min(Int(rows.lowerBound) / size, end)
        // A screen has few pages. A client that reports a longer one gets its pages in turn.
        let pages = start...min(end, start + pagesWantedMax - 1)
        return isBackward ? pages.reversed() : Array(pages)
    }

    /// The largest number of pages that are considered at one time.
    private static let pagesWantedMax = 256

    private static func moved(
        _ rows: ClosedRange<Double>, by distance: Double, _ last: Double
    ) -> ClosedRange<Double> {
        let start = min(max(rows.lowerBound + distance, 0), last)
        return start...min(max(rows.upperBound + distance, start), last)
    }

    private static func union(
        _ one: ClosedRange<Double>, _ other: ClosedRange<Double>
    ) -> ClosedRange<Double> {
        min(one.lowerBound, other.lowerBound)...max(one.upperBound, other.upperBound)
    }
}
