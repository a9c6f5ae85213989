internal import RefreshBroker
internal import RefreshProtocol

/// The cards of the demo's feed `cards`. Each card belongs to the section of its neighbour. Source:
/// docs/backends.md, "The feeds cards and messages".
struct DemoBoard: Sendable {
    /// The largest number of Unicode code points of a title.
    static let titleMax = 200
    /// The section of a card on an empty board.
    private static let firstSection = "To do"
    private static let cards = [
        ("To do", "Swipe this card to the left"),
        ("To do", "Drag this card by its handle into another section"),
        ("To do", "Add a card above"),
        ("Doing", "Open this page in a second window"),
        ("Doing", "Change the board there, and watch it here"),
        ("Done", "Start refreshd"),
        ("Done", "Open the board"),
    ]

    private(set) var list: DemoList

    init() {
        list = DemoList(
            Self.cards.enumerated().map { index, card in
                DemoList.Item(key: Array("\(index + 1)".utf8), card.0, card.1)
            })
    }

    /// Performs an edit. Returns the card as it is now; nil if it is as the client knows it.
    mutating func perform(_ operation: ItemOperation) throws(LoadFailure) -> [UInt8]? {
        let key = operation.key.text
        switch operation.kind {
        case .insert:
            let title = try Self.title(in: operation.item)
            let card = DemoList.Item(key: key, section(at: operation.place), title)
            try list.insert(card, at: operation.place)
            return card.json
        case .move:
            guard let card = list.item(key) else {
                throw LoadFailure(.backendRejected, "The card does not exist any more.")
            }
            let section = section(at: operation.place)
            let moved = DemoList.Item(key: key, section, card.texts["title"] ?? "")
            list.remove(key)
            try list.insert(moved, at: operation.place)
            return moved.json == card.json ? nil : moved.json
        case .remove:
            list.remove(key)
            return nil
        case .refresh, .update:
            return list.item(key)?.json
        }
    }

    private func section(at place: ItemOperation.Place?) -> String {
        list.neighbour(at: place)?.texts["list"] ?? Self.firstSection
    }

    private static func title(in item: [UInt8]) throws(LoadFailure) -> String {
        guard let title = (try? DemoList.Item.texts(in: item))?["title"],
            (1...titleMax).contains(title.unicodeScalars.count)
        else {
            throw LoadFailure(
                .backendRejected, "A card needs a title of 1 to \(titleMax) characters.")
        }
        return title
    }
}

extension DemoList.Item {
    /// A card.
    fileprivate init(key: [UInt8], _ section: String, _ title: String) {
        self.init(key: key, ["list": section, "title": title])
    }
}
