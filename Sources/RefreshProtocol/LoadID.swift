/// The identity of one load: the generation of the view that wanted it, and its number there.
///
/// It is never used twice in a session, so an answer that comes late, twice or to a superseded load
/// is known by comparing. On the wire it is text, `"GENERATION.NUMBER"`.
package struct LoadID: Hashable, Sendable, Codable {
    package var generation: UInt32
    package var number: UInt32

    package init(generation: UInt32, number: UInt32) {
        self.generation = generation
        self.number = number
    }

    /// Reads the wire form; nil if it is none.
    package init?(_ text: some StringProtocol) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2,
            let generation = UInt32(parts[0]), let number = UInt32(parts[1]),
            text == "\(generation).\(number)"
        else { return nil }
        self.init(generation: generation, number: number)
    }
}

extension LoadID: CustomStringConvertible {
    package var description: String { "\(generation).\(number)" }
}
