internal import Foundation
internal import RefreshSession

/// The compact binary form of a snapshot:
///
///     format      1 byte: 1
///     length      4 bytes, little-endian: the length of the text before compression
///     deflated    4 bytes, little-endian: the length of the deflated text
///     text        all other members of the snapshot, as deflated JSON
///     token       32 bytes, the hash of the resume token
///     items       for each view with a feed: 4 bytes, the number of hashes; 8 bytes per hash
///
/// Hashes look random and cannot be compressed, so they are not part of the text.
struct SnapshotPacking {
    private static let format: UInt8 = 1
    private static let headCount = 9
    private static let tokenHashCount = 32
    private static let hashCount = 8

    /// The maximum number of bytes that a text may have before compression.
    let textBytesMax: Int

    /// Returns the packed snapshot, at most `most` bytes. It contains as many of the newest hashes
    /// of items as fit. Returns nil if the snapshot is too long even without hashes, or if its text
    /// is longer than `textBytesMax`.
    func packed(_ snapshot: SessionSnapshot, most: Int) -> [UInt8]? {
        var snapshot = snapshot
        let tokenHash = snapshot.tokenHash
        guard tokenHash.count == Self.tokenHashCount else { return nil }
        snapshot.tokenHash = []
        var hashes: [[UInt64]] = []
        for index in snapshot.session.views.indices {
            guard let shown = snapshot.session.views[index].feed?.shownItems else { continue }
            hashes.append(shown)
            snapshot.session.views[index].feed?.shownItems = []
        }
        guard let text = Self.text(of: snapshot), text.count <= textBytesMax,
            let deflated = Deflate.deflated(text, dictionary: SnapshotDictionary.bytes)
        else { return nil }
        let room = most - Self.headCount - deflated.count - tokenHash.count - 4 * hashes.count
        guard room >= 0 else { return nil }
        var packed: [UInt8] = [Self.format]
        packed.reserveCapacity(most - room + hashes.reduce(0) { $0 + $1.count * Self.hashCount })
        packed.append(UInt32(text.count))
        packed.append(UInt32(deflated.count))
        packed += deflated
        packed += tokenHash
        for kept in Self.newest(hashes, most: room / Self.hashCount) {
            packed.append(UInt32(kept.count))
            for hash in kept { packed.append(hash) }
        }
        return packed
    }

    /// Returns the snapshot; nil if `packed` is not a valid packed snapshot.
    func unpacked(_ packed: [UInt8]) -> SessionSnapshot? {
        var rest = packed[...]
        guard rest.popFirst() == Self.format, let length: UInt32 = rest.popInteger(),
            length <= textBytesMax, let deflated: UInt32 = rest.popInteger(),
            let body = rest.pop(Int(deflated)), let tokenHash = rest.pop(Self.tokenHashCount),
            let text = Deflate.inflated(
                body, dictionary: SnapshotDictionary.bytes, most: Int(length)),
            text.count == length,
            var snapshot = try? JSONDecoder().decode(SessionSnapshot.self, from: Data(text))
        else { return nil }
        snapshot.tokenHash = Array(tokenHash)
        for index in snapshot.session.views.indices where snapshot.session.views[index].feed != nil
        {
            guard let count: UInt32 = rest.popInteger(), rest.count / Self.hashCount >= count
            else { return nil }
            snapshot.session.views[index].feed?.shownItems = (0..<count).compactMap { _ in
                rest.popInteger()
            }
        }
        return rest.isEmpty ? snapshot : nil
    }

    private static func text(of snapshot: SessionSnapshot) -> [UInt8]? {
        let encoder = JSONEncoder()
        // The members are sorted, as in the compression dictionary (`SnapshotDictionary`).
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(snapshot)).map { Array($0) }
    }

    /// Returns the newest hashes of each list, at most `most` in total. If there is not enough room
    /// for all hashes, the lists get equal shares.
    static func newest(_ hashes: [[UInt64]], most: Int) -> [ArraySlice<UInt64>] {
        var left = most
        var shares = [Int](repeating: 0, count: hashes.count)
        // The shortest list comes first. If a short list needs less than its share, the longer
        // lists get the rest.
        let order = hashes.indices.sorted { hashes[$0].count < hashes[$1].count }
        for (position, index) in order.enumerated() {
            shares[index] = min(hashes[index].count, left / (order.count - position))
            left -= shares[index]
        }
        return zip(hashes, shares).map { $0.suffix($1) }
    }
}

extension [UInt8] {
    /// Appends the bytes of a number, little-endian.
    fileprivate mutating func append(_ number: some FixedWidthInteger & UnsignedInteger) {
        for shift in stride(from: 0, to: number.bitWidth, by: 8) {
            append(UInt8(truncatingIfNeeded: number >> shift))
        }
    }
}

extension ArraySlice<UInt8> {
    /// Removes and returns `count` bytes from the front; nil if there are fewer.
    fileprivate mutating func pop(_ count: Int) -> ArraySlice<UInt8>? {
        guard count <= self.count else { return nil }
        defer { removeFirst(count) }
        return prefix(count)
    }

    /// Removes and returns a little-endian number; nil if there are too few bytes.
    fileprivate mutating func popInteger<Number: FixedWidthInteger & UnsignedInteger>() -> Number? {
        guard let bytes = pop(Number.bitWidth / 8) else { return nil }
        return bytes.reversed().reduce(0) { $0 << 8 | Number($1) }
    }
}
