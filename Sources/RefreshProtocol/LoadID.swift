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
    package init?(_ text: String) {
        var bytes = text.utf8.makeIterator()
        guard let (generation, end) = Self.number(&bytes), end == 0x2E,
            let (number, last) = Self.number(&bytes), last == nil
        else { return nil }
        self.init(generation: generation, number: number)
    }

    /// Reads digits and the byte behind them; nil if these are not how the number is written.
    private static func number(
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
