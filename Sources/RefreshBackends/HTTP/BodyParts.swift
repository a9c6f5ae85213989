internal import RefreshProtocol

/// A JSON text, split into its strings and the text between them.
struct BodyParts {
    enum Part: Hashable, Sendable {
        /// Brackets, separators, and values that are not strings. They are in their source form.
        case json([UInt8])
        /// The name of a member.
        case name(String)
        /// A string value.
        case text(String)
    }

    private static let depthMax = 64

    private(set) var all: [Part] = []

    /// Parses a JSON text. Throws an error for the key `body`.
    init(_ json: [UInt8]) throws(BackendConfigurationError) {
        do throws(FaultCode) {
            var scanner = JSONScanner(json.span, limits: AnswerFault.limits)
            try read(&scanner, depth: 0)
            scanner.skipSpace()
            guard scanner.isAtEnd else { throw .malformedJSON }
        } catch {
            let message =
                error == .depthExceeded
                ? "It is nested deeper than \(Self.depthMax)." : "It is not JSON."
            throw BackendConfigurationError("body", message)
        }
    }

    private mutating func add(_ mark: Character) {
        all.append(.json(Array(String(mark).utf8)))
    }

    private mutating func read(
        _ scanner: inout JSONScanner, depth: Int
    ) throws(FaultCode) {
        scanner.skipSpace()
        switch scanner.peek {
        case UInt8(ascii: "\""):
            all.append(.text(try scanner.readString().text(in: scanner.bytes)))
        case UInt8(ascii: "{"):
            try readMembers(&scanner, depth: depth + 1)
        case UInt8(ascii: "["):
            try readElements(&scanner, depth: depth + 1)
        default:
            let range = try scanner.skipValue(depth: depth, allowingUnderflow: true)
            var bytes: [UInt8] = []
            for index in range { bytes.append(scanner.bytes[index]) }
            all.append(.json(bytes))
        }
    }

    private mutating func readMembers(
        _ scanner: inout JSONScanner, depth: Int
    ) throws(FaultCode) {
        guard depth <= Self.depthMax else { throw .depthExceeded }
        try scanner.expect(UInt8(ascii: "{"))
        add("{")
        if !scanner.consumeByte(UInt8(ascii: "}")) {
            var isFirst = true
            repeat {
                if !isFirst { add(",") }
                isFirst = false
                scanner.skipSpace()
                all.append(.name(try scanner.readString().text(in: scanner.bytes)))
                try scanner.expect(UInt8(ascii: ":"))
                add(":")
                try read(&scanner, depth: depth)
            } while scanner.consumeByte(UInt8(ascii: ","))
            try scanner.expect(UInt8(ascii: "}"))
        }
        add("}")
    }

    private mutating func readElements(
        _ scanner: inout JSONScanner, depth: Int
    ) throws(FaultCode) {
        guard depth <= Self.depthMax else { throw .depthExceeded }
        try scanner.expect(UInt8(ascii: "["))
        add("[")
        if !scanner.consumeByte(UInt8(ascii: "]")) {
            var isFirst = true
            repeat {
                if !isFirst { add(",") }
                isFirst = false
                try read(&scanner, depth: depth)
            } while scanner.consumeByte(UInt8(ascii: ","))
            try scanner.expect(UInt8(ascii: "]"))
        }
        add("]")
    }
}
