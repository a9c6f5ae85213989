/// The identity of one load: the generation of the view that requested the load (a number that each
/// `attach` of the view changes), and the number of the load in that generation.
///
/// An identity is never reused in a session. By comparing identities, a receiver detects an answer
/// that is late, repeated, or for a superseded load. On the wire, an identity is the text
/// `"GENERATION.NUMBER"`.
package struct LoadID: Hashable, Sendable, Codable {
    package var generation: UInt32
    package var number: UInt32

    package init(generation: UInt32, number: UInt32) {
        self.generation = generation
        self.number = number
    }

    /// Parses the wire form. Returns nil if the text is not valid.
    package init?(_ text: String) {
        var bytes = text.utf8.makeIterator()
        guard let (generation, end) = Self.parseNumber(&bytes), end == 0x2E,
            let (number, last) = Self.parseNumber(&bytes), last == nil
        else { return nil }
        self.init(generation: generation, number: number)
    }

    /// Parses a number and the byte after it. Returns nil if the digits are not the canonical form
    /// of a number.
    private static func parseNumber(
        _ bytes: inout some IteratorProtocol<UInt8>
    ) -> (value: UInt32, end: UInt8?)? {
        guard let first = bytes.next(), case let digit = first &- 0x30, digit <= 9 else {
            return nil
        }
        var value = UInt32(digit)
        while let byte = bytes.next() {
            guard case let digit = byte &- 0x30, digit <= 9 else { return (value, byte) }
            let (tens, isTooLarge) = value.multipliedReportingOverflow(by: 10)
            let (sum, isLarger) = tens.addingReportingOverflow(UInt32(digit))
            guard value > 0, !isTooLarge, !isLarger else { return nil }
            value = sum
        }
        return (value, nil)
    }
}

extension LoadID: CustomStringConvertible {
    package var description: String { "\(generation).\(number)" }
}
