/// The items that a reader has laid out, one below the other.
struct ListLayout {
    let items: [ModelItem]
    /// Where each item begins, in points.
    private let positions: [Double]
    let length: Double

    init(_ items: [ModelItem] = []) {
        self.items = items
        var positions: [Double] = []
        var end = 0.0
        for item in items {
            positions.append(end)
            end += item.length
        }
        self.positions = positions
        length = end
    }

    /// The index of the item at the top of the screen. Nil if there are no items.
    func indexAtTop(of offset: Double) -> Int? {
        guard !items.isEmpty else { return nil }
        return max((positions.firstIndex { $0 > offset } ?? items.count) - 1, 0)
    }

    func position(at index: Int) -> Double { positions[index] }

    /// The index of the item with that number.
    func index(of number: Int) -> Int? { items.firstIndex { $0.number == number } }
}
