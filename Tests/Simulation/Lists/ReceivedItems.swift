import RefreshProtocol
import ScenarioKit

/// The content of an `items` message for the reader of a model list.
struct ReceivedItems {
    /// The items of one answer.
    struct Part {
        let answer: Int
        var items: [ModelItem]
    }

    let isReplacing: Bool
    let parts: [Part]
    let page: Int
    let offset: Int
    let pages: Int
    let hasMore: Bool

    /// Nil if the message is not complete.
    init?(_ message: JSONValue) {
        guard let page = message["page"]?.wholeNumber, let offset = message["offset"]?.wholeNumber,
            let items = message["items"]?.array
        else { return nil }
        self.page = page
        self.offset = offset
        isReplacing = message["mode"]?.string == "replace"
        pages = message["pages"]?.wholeNumber ?? 1
        hasMore = message["more"]?.bool ?? false
        var parts: [Part] = []
        for item in items {
            guard let number = item["k"]?.wholeNumber, let version = item["v"]?.wholeNumber,
                let answer = item["c"]?.wholeNumber
            else { return nil }
            if parts.last?.answer != answer { parts.append(Part(answer: answer, items: [])) }
            parts[parts.count - 1].items.append(ModelItem(number: number, version: version))
        }
        self.parts = parts
    }

    var items: [ModelItem] { parts.flatMap(\.items) }
}
