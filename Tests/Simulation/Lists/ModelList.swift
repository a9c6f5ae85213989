/// The list of one query: a plain array, which is edited as time passes. The checks compare the
/// lists that clients show with this model.
struct ModelList {
    private(set) var items: [ModelItem]
    private var nextNumber: Int

    init(query: Int, count: Int) {
        let first = query * ModelItem.numbersPerQuery
        items = (first..<first + count).map { ModelItem(number: $0) }
        nextNumber = first + count
    }

    /// Makes a random edit: items are inserted at the top, removed or appended, or their text
    /// changes.
    mutating func edit(_ generator: inout SeededGenerator) {
        switch generator.below(20) {
        case ..<8: items.insert(contentsOf: newItems(1 + generator.below(5)), at: 0)
        case ..<13:
            for _ in 0..<min(1 + generator.below(4), items.count) {
                items.remove(at: generator.below(items.count))
            }
        case ..<16: items += newItems(1 + generator.below(6))
        default:
            for _ in 0..<min(1 + generator.below(3), items.count) {
                items[generator.below(items.count)].version += 1
            }
        }
    }

    private mutating func newItems(_ count: Int) -> [ModelItem] {
        nextNumber += count
        return (nextNumber - count..<nextNumber).map { ModelItem(number: $0) }
    }
}
