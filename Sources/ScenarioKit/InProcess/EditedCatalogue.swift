package import RefreshProtocol

/// The items of the catalogue feeds, and the edits of the feed `edited`. Source:
/// docs/conformance.md, "The catalogue".
package enum EditedCatalogue {
    static let words = ["apple", "banana", "cherry", "date", "elder", "fig"].flatMap { word in
        (1...10).map { "\(word) \($0)" }
    }

    /// Returns the items of the feed `edited` after the edit with this letter.
    package static func items(_ edit: Character) -> [JSONValue] {
        var items = words.enumerated().map { item(.number(Double($0)), $1) }
        switch edit {
        case "c": items[5] = item(.number(5), "apple 6 again")
        case "i": items.insert(item(.number(100), "new"), at: 0)
        case "r": items.removeSubrange(3...4)
        case "m": items = Array(items[10..<20] + items[..<10] + items[20...])
        case "a": items = words.enumerated().map { item(.number(Double($0)), "\($1) again") }
        case "d": items.insert(items[7], at: 9)
        case "n": items[3] = item(nil, words[3])
        default: break
        }
        return items
    }

    /// Returns the edit for the first page with this number, counted from 1. `edits` has a letter
    /// for each first page; the last letter is also that of all later ones.
    static func edit(ofPage number: Int, in edits: String) -> Character {
        edits.dropFirst(number - 1).first ?? edits.last ?? "o"
    }

    /// The word of the item with this id. Items that the catalogue does not have are new.
    package static func word(of id: Int) -> String {
        words.indices.contains(id) ? words[id] : "new"
    }

    private static func item(_ id: JSONValue?, _ word: String) -> JSONValue {
        let members = id.map { [JSONValue.Member("id", $0)] } ?? []
        return .object(members + [JSONValue.Member("word", .string(word))])
    }
}
