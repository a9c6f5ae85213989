/// An item of a model list. Its number is unique among all lists of a feed and names its query.
struct ModelItem: Hashable {
    /// Each query has its own range of numbers.
    static let numbersPerQuery = 100_000

    let number: Int
    /// The number of changes of the item's text. The length of the item depends on its text.
    var version = 0

    /// The index of the query to whose list the item belongs.
    var query: Int { number / Self.numbersPerQuery }
    /// The length of the item in points.
    var length: Double { 40 + 10 * Double((number &* 7 &+ version) & 3) }
    /// The client's name for the item.
    var name: String { "i\(number)" }

    /// The item as the backend sends it. `answer` is the number of the answer that contains it.
    func text(answer: Int) -> String { "{\"k\":\(number),\"v\":\(version),\"c\":\(answer)}" }
}
