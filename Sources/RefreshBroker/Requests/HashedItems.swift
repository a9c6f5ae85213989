/// The items of a list in their order: a hash of the key and a hash of the bytes of each item. Two
/// lists are compared by these hashes (docs/protocol.md, "Patches"). Every item has a key that no
/// other item of the list has.
package struct HashedItems: Hashable, Sendable {
    /// The hash of the JSON text of each item's key.
    package private(set) var keys: [UInt64]
    /// The hash of the bytes of each item, made with the same secret hash key.
    package private(set) var contents: [UInt64]
    /// A hash of both, in their order. Equal lists have equal digests. Because the hashes of the
    /// items are secret, an attacker cannot find two lists with the same digest.
    package private(set) var digest: UInt64

    package static let empty = HashedItems(unchecked: [], [])

    /// Returns nil if two items have the same key, or if the numbers of hashes differ.
    package init?(keys: [UInt64], contents: [UInt64]) {
        guard keys.count == contents.count else { return nil }
        var known = Set<UInt64>(minimumCapacity: keys.count)
        for key in keys where !known.insert(key).inserted { return nil }
        self.init(unchecked: keys, contents)
    }

    /// Creates a list of keys that are known to be different. There are as many contents.
    package init(distinct keys: [UInt64], contents: [UInt64]) {
        self.init(unchecked: keys, contents)
    }

    private init(unchecked keys: [UInt64], _ contents: [UInt64]) {
        self.keys = keys
        self.contents = contents
        digest = 0
        mixIn(from: 0)
    }

    package var count: Int { keys.count }

    /// Adds the items of a further page whose key hashes are in `kept`, in the order of `kept`.
    /// Neither `kept` nor the list has one of these keys twice. They go behind the list or, if
    /// `isBefore` is true, before it.
    ///
    /// Returns false, and changes nothing, if the page does not have these keys in this order. This
    /// is so if they were hashed with another hash key.
    package mutating func insert(_ page: HashedItems, kept: [UInt64], isBefore: Bool) -> Bool {
        var added: [UInt64] = []
        added.reserveCapacity(kept.count)
        var position = 0
        for key in kept {
            while position < page.count, page.keys[position] != key { position += 1 }
            guard position < page.count else { return false }
            added.append(page.contents[position])
        }
        if isBefore {
            self = HashedItems(unchecked: kept + keys, added + contents)
        } else {
            let old = count
            keys += kept
            contents += added
            mixIn(from: old)
        }
        return true
    }

    /// Shares the memory of `others`, if its hashes are the keys of the list.
    package mutating func shareKeys(with others: [UInt64]) {
        if keys == others { keys = others }
    }

    /// Adds the items from `start` on to the digest.
    private mutating func mixIn(from start: Int) {
        var digest = digest
        for index in start..<keys.count {
            digest = (digest ^ keys[index]) &* 0x9E37_79B9_7F4A_7C15
            digest = (digest ^ digest >> 32 ^ contents[index]) &* 0xD6E8_FEB8_6659_FD93
            digest ^= digest >> 32
        }
        self.digest = digest
    }
}

extension HashedItems: Codable {
    private enum CodingKeys: CodingKey {
        case keys, contents
    }

    /// - Throws: A `DecodingError` if two items have the same key, or if the numbers of hashes
    ///   differ.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let keys = try container.decode([UInt64].self, forKey: .keys)
        let contents = try container.decode([UInt64].self, forKey: .contents)
        guard let list = HashedItems(keys: keys, contents: contents) else {
            throw DecodingError.dataCorruptedError(
                forKey: .keys, in: container, debugDescription: "no list of different keys")
        }
        self = list
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(keys, forKey: .keys)
        try container.encode(contents, forKey: .contents)
    }
}
