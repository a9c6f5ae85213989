internal import RefreshProtocol

/// The places of the members of a report that the daemon reads.
struct ReportMembers {
    enum Name: String {
        case count, operations, parameters, subject
    }

    /// The values, without those that are `null`.
    private var values: [Name: Range<Int>] = [:]

    subscript(name: Name) -> Range<Int>? { values[name] }

    /// Consumes an object.
    init(_ scanner: inout JSONScanner) throws(ChangeReportFault) {
        var repeated: Name?
        do throws(FaultCode) {
            try scanner.readMembers { (name, scanner) throws(FaultCode) in
                let value = try scanner.skipValue(depth: 1, allowingUnderflow: true)
                guard let name = Name(rawValue: name),
                    scanner.bytes[value.lowerBound] != UInt8(ascii: "n")
                else { return }
                if values.updateValue(value, forKey: name) != nil { repeated = name }
            }
        } catch {
            throw .notAnObject
        }
        if let repeated { throw .malformed(repeated.rawValue, "occurs twice") }
    }

    func count(in report: Span<UInt8>) throws(ChangeReportFault) -> NewerCount? {
        guard let range = values[.count] else { return nil }
        var scanner = JSONScanner(report, from: range.lowerBound, limits: Page.jsonLimits)
        guard let number = try? scanner.readNumber(), number >= 0, number == number.rounded()
        else { throw .malformed("count", "is not a whole number from 0") }
        return NewerCount(Int(min(number, Double(NewerCount.range.upperBound))))
    }

    func subject(in report: Span<UInt8>) throws(ChangeReportFault) -> String? {
        guard let range = values[.subject] else { return nil }
        var scanner = JSONScanner(report, from: range.lowerBound, limits: Page.jsonLimits)
        guard let text = try? scanner.readString() else {
            throw .malformed("subject", "is not a string")
        }
        return text.text(in: report)
    }

    /// The values of the query, in the order of their names.
    func parameters(
        _ declared: [FeedParameter], in report: Span<UInt8>
    ) throws(ChangeReportFault) -> [LoadParameter] {
        guard let range = values[.parameters] else { return [] }
        var values: [LoadParameter] = []
        var problem: ChangeReportFault?
        var scanner = JSONScanner(report, from: range.lowerBound, limits: Page.jsonLimits)
        do throws(FaultCode) {
            try scanner.readMembers { (name, scanner) throws(FaultCode) in
                let path = "parameters.\(name)"
                let text = try Self.scalar(&scanner)
                guard let type = declared.first(where: { $0.name.hasBytes(of: name) })?.type else {
                    return problem = .malformed(path, "is not a parameter of the feed")
                }
                guard let value = text.flatMap({ ParameterValue($0, as: type) }) else {
                    return problem = .malformed(path, "is not of the type \(type.rawValue)")
                }
                guard !values.contains(where: { $0.name.hasBytes(of: name) }) else {
                    return problem = .malformed(path, "occurs twice")
                }
                values.append(LoadParameter(name: name, value: value))
            }
        } catch {
            throw .malformed("parameters", "is not an object")
        }
        if let problem { throw problem }
        return values.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    }

    /// Consumes a value. Returns nil unless it is a string, a number or a boolean.
    private static func scalar(_ scanner: inout JSONScanner) throws(FaultCode) -> String? {
        scanner.skipSpace()
        switch scanner.peek {
        case UInt8(ascii: "\""): return try scanner.readString().text(in: scanner.bytes)
        case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "n"):
            _ = try scanner.skipValue(depth: 2, allowingUnderflow: true)
            return nil
        default:
            let range = try scanner.skipValue(depth: 2)
            return String(decoding: scanner.bytes.bytes(in: range), as: UTF8.self)
        }
    }
}

extension JSONScanner {
    /// Consumes an object. `read` receives the name of each member, and consumes its value.
    mutating func readMembers(
        _ read: (String, inout JSONScanner) throws(FaultCode) -> Void
    ) throws(FaultCode) {
        try expect(UInt8(ascii: "{"))
        if consumeByte(UInt8(ascii: "}")) { return }
        repeat {
            skipSpace()
            let name = try readString().text(in: bytes)
            try expect(UInt8(ascii: ":"))
            skipSpace()
            try read(name, &self)
        } while consumeByte(UInt8(ascii: ","))
        try expect(UInt8(ascii: "}"))
    }
}

extension Span<UInt8> {
    func bytes(in range: Range<Int>) -> [UInt8] {
        unsafe extracting(range).withUnsafeBufferPointer { unsafe Array($0) }
    }
}
