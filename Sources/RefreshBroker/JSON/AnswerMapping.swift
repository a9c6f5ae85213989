/// Where an answer holds what: a tree of the names on the way, so that one pass over the text finds
/// all of it.
package struct AnswerMapping: Hashable, Sendable {
    /// What a place in the answer is.
    enum Field: String, Hashable, Sendable {
        case items, more, next, total, maxAgeMs
    }

    /// A name or an index below a place, and the node that it leads to.
    struct Branch: Hashable, Sendable {
        let name: [UInt8]
        /// Where the name is an index too.
        let index: Int?
        let node: Int
    }

    struct Node: Hashable, Sendable {
        var fields: [Field] = []
        var branches: [Branch] = []
    }

    /// An array, or an object with the fields of docs/backends.md, "What an answer looks like".
    package static let plain = AnswerMapping()

    /// The first is the whole answer's.
    private(set) var nodes = [Node()]
    /// Whether an answer that is an array is the items.
    let takesBareItems: Bool
    /// Whether a number may be a cursor: its text.
    let takesNumbers: Bool
    /// Bytes that `next` may have in its JSON form.
    let nextBytesMax: Int

    /// Nil is the field of that name. Without `takingNext` the answer's body does not tell the next
    /// page.
    package init(
        items: JSONPointer? = nil, more: JSONPointer? = nil, next: JSONPointer? = nil,
        total: JSONPointer? = nil, takingNext: Bool = true, takingNumbers: Bool = false,
        nextBytesMax: Int = PageReader.cursorBytesMax
    ) {
        takesBareItems = items == nil
        takesNumbers = takingNumbers
        self.nextBytesMax = nextBytesMax
        add(.items, at: items?.tokens)
        add(.more, at: more?.tokens)
        if takingNext { add(.next, at: next?.tokens) }
        add(.total, at: total?.tokens)
        add(.maxAgeMs, at: nil)
    }

    private mutating func add(_ field: Field, at tokens: [String]?) {
        var node = 0
        for token in tokens ?? [field.rawValue] { node = child(of: node, named: token) }
        nodes[node].fields.append(field)
    }

    private mutating func child(of node: Int, named token: String) -> Int {
        let name = Array(token.utf8)
        if let known = nodes[node].branches.first(where: { $0.name == name }) { return known.node }
        nodes.append(Node())
        let branch = Branch(name: name, index: Self.index(name), node: nodes.count - 1)
        nodes[node].branches.append(branch)
        return branch.node
    }

    /// RFC 6901, 4: digits without a zero before them.
    private static func index(_ name: [UInt8]) -> Int? {
        guard !name.isEmpty, name.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }),
            name.count == 1 || name[0] != UInt8(ascii: "0")
        else { return nil }
        return Int(String(decoding: name, as: UTF8.self))
    }
}
