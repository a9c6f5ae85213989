internal import RefreshBroker
internal import RefreshProtocol

/// The places of the fields in an answer. The names on the paths to the fields form a tree, so that
/// a single pass over the text finds all fields.
struct AnswerMapping: Hashable, Sendable {
    /// The fields that an answer can contain.
    enum Field: String, Hashable, Sendable {
        case items, more, next, total, maxAgeMs
    }

    /// A member name or an array index, and the child node to which it leads.
    struct Branch: Hashable, Sendable {
        let name: [UInt8]
        /// The array index that the name denotes; nil if the name is not an index.
        let index: Int?
        let node: Int
    }

    struct Node: Hashable, Sendable {
        var fields: [Field] = []
        var branches: [Branch] = []
    }

    /// The default mapping. The answer is an array, or an object with the fields of
    /// docs/backends.md, "What an answer looks like".
    static let plain = AnswerMapping()

    /// The nodes of the tree. The first represents the whole answer.
    private(set) var nodes = [Node()]
    /// Whether an answer may be just the array of items, without an object around it.
    let acceptsBareItems: Bool
    /// Whether a cursor may be a number. The text of the number is then the cursor.
    let acceptsNumbers: Bool
    /// The maximum length of `next` in its JSON form, in bytes.
    let nextBytesMax: Int

    /// Creates a mapping. If a pointer is nil, the field is the member with the parameter's name in
    /// the answer's object. If `takingNext` is false, the cursor of the next page is not read from
    /// the answer's body.
    init(
        items: JSONPointer? = nil, more: JSONPointer? = nil, next: JSONPointer? = nil,
        total: JSONPointer? = nil, takingNext: Bool = true, takingNumbers: Bool = false,
        nextBytesMax: Int = PageReader.cursorBytesMax
    ) {
        acceptsBareItems = items == nil
        acceptsNumbers = takingNumbers
        self.nextBytesMax = nextBytesMax
        add(.items, at: items?.tokens)
        add(.more, at: more?.tokens)
        if takingNext { add(.next, at: next?.tokens) }
        add(.total, at: total?.tokens)
        add(.maxAgeMs, at: nil)
    }

    private mutating func add(_ field: Field, at tokens: [String]?) {
        var node = 0
        for token in tokens ?? [field.rawValue] { node = findOrAddChild(of: node, named: token) }
        nodes[node].fields.append(field)
    }

    private mutating func findOrAddChild(of node: Int, named token: String) -> Int {
        let name = Array(token.utf8)
        if let known = nodes[node].branches.first(where: { $0.name == name }) { return known.node }
        nodes.append(Node())
        let branch = Branch(name: name, index: Self.index(name), node: nodes.count - 1)
        nodes[node].branches.append(branch)
        return branch.node
    }

    /// Returns the array index that a name denotes, or nil if it denotes none. An index consists of
    /// digits without a leading zero. Source: RFC 6901, section 4.
    private static func index(_ name: [UInt8]) -> Int? {
        guard !name.isEmpty, name.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }),
            name.count == 1 || name[0] != UInt8(ascii: "0")
        else { return nil }
        return Int(String(decoding: name, as: UTF8.self))
    }
}
