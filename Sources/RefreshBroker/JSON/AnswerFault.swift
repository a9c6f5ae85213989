internal import RefreshProtocol

/// Why bytes are not an answer, and where.
package struct AnswerFault: Error, Hashable, Sendable {
    package enum Reason: Hashable, Sendable {
        /// Against RFC 8259: grammar, UTF-8, lone surrogates, bytes after the value.
        case malformed
        /// Nested deeper than `AnswerFault.limits` allow.
        case tooDeep
        /// A number too large for a double.
        case numberOutOfRange
        /// Well formed, but no array and no object with an array `items`.
        case noItems
        /// Well formed, but the pointer `items` leads to no array.
        case noMappedItems
        /// An envelope field of the wrong type, or given twice; the field's name.
        case field(String)
    }

    package var reason: Reason
    /// Bytes from the beginning.
    package var offset: Int

    package init(_ reason: Reason, at offset: Int) {
        self.reason = reason
        self.offset = offset
    }

    /// What stopped the scanner, and where.
    init(stoppedBy code: FaultCode, at offset: Int) {
        switch code {
        case .depthExceeded: self.init(.tooDeep, at: offset)
        case .numberOutOfRange: self.init(.numberOutOfRange, at: offset)
        default: self.init(.malformed, at: offset)
        }
    }

    /// An answer is bounded as a whole, so its strings need no bound.
    static let limits = JSONLimits(depthMax: 64, stringBytesMax: .max)

    /// For the log and the developer.
    package var message: String {
        switch reason {
        case .malformed: "not JSON at byte \(offset)"
        case .tooDeep: "nested deeper than \(Self.limits.depthMax) at byte \(offset)"
        case .numberOutOfRange: "a number too large at byte \(offset)"
        case .noItems: "neither an array nor an object with an array `items`"
        case .noMappedItems: "without an array where `items` points"
        case .field(let name): "`\(name)` of the wrong type or twice at byte \(offset)"
        }
    }
}
