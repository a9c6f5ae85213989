internal import RefreshBroker
internal import RefreshProtocol

/// The reason why bytes are not a valid answer, and the position of the fault.
package struct AnswerFault: Error, Hashable, Sendable {
    package enum Reason: Hashable, Sendable {
        /// A violation of RFC 8259, such as a syntax error, invalid UTF-8, a lone surrogate, or
        /// bytes after the value.
        case malformed
        /// Nesting deeper than `AnswerFault.limits` allow.
        case tooDeep
        /// A number too large for a double.
        case numberOutOfRange
        /// The answer is well formed, but neither an array nor an object with an array `items`.
        case noItems
        /// The answer is well formed, but the pointer `items` does not lead to an array.
        case noMappedItems
        /// A field of the answer's object has the wrong type or is duplicate. The value is the name
        /// of the field.
        case field(String)
    }

    package var reason: Reason
    /// The position of the fault in bytes from the beginning of the answer.
    package var offset: Int

    package init(_ reason: Reason, at offset: Int) {
        self.reason = reason
        self.offset = offset
    }

    /// Creates the fault for an error of the scanner at `offset`.
    init(stoppedBy code: FaultCode, at offset: Int) {
        switch code {
        case .depthExceeded: self.init(.tooDeep, at: offset)
        case .numberOutOfRange: self.init(.numberOutOfRange, at: offset)
        default: self.init(.malformed, at: offset)
        }
    }

    /// The limits of every JSON text of a backend.
    static let limits = Page.jsonLimits

    /// A description for the log and the backend's developer.
    package var message: String {
        switch reason {
        case .malformed: "not JSON at byte \(offset)"
        case .tooDeep: "nested deeper than \(Self.limits.depthMax) at byte \(offset)"
        case .numberOutOfRange: "invalid at byte \(offset): a number is too large"
        case .noItems: "neither an array nor an object with an array `items`"
        case .noMappedItems: "missing an array at the pointer `items`"
        case .field(let name):
            "invalid at byte \(offset): `\(name)` has a wrong type or occurs twice"
        }
    }
}
