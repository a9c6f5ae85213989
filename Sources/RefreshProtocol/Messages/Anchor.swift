/// An item that keeps the visible content in place while other items appear or disappear around it.
/// Source: docs/protocol.md, "Anchors".
package struct Anchor: Hashable, Sendable, Codable {
    /// The item's name, hashed to 64 bits by FNV-1a.
    package var name: UInt64
    /// The beginning of the item, in points from the physical beginning of the content.
    package var position: Double

    /// No anchor; no item's name hashes to 0.
    package static var none: Anchor { Anchor(name: 0, position: 0) }

    package init(name: UInt64, position: Double) {
        self.name = name
        self.position = position
    }

    package init(_ name: some StringProtocol, at position: Double) {
        self.name = name.utf8.reduce(0xCBF2_9CE4_8422_2325) { hash, byte in
            (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
        }
        self.position = position
    }
}
