package import RefreshProtocol

/// A JSON value with its place in the document, so that an error can state the place.
package struct PlacedValue {
    package let value: JSONValue
    package let location: String

    package init(_ value: JSONValue, at place: String = "") {
        self.value = value
        self.location = place
    }

    package func error(
        _ reason: String, unknown: ProgrammeError.Unknown? = nil
    ) -> ProgrammeError {
        ProgrammeError(location, reason, unknown: unknown)
    }

    /// The member with that name; nil if it is absent or `null`.
    package func member(_ name: String) throws(ProgrammeError) -> PlacedValue? {
        guard case .object = value else { throw error("expected an object") }
        guard let found = value[name], found != .null else { return nil }
        return PlacedValue(found, at: memberLocation(name))
    }

    package func requiredMember(_ name: String) throws(ProgrammeError) -> PlacedValue {
        guard let found = try member(name) else { throw error("\(name) is missing") }
        return found
    }

    private func memberLocation(_ name: String) -> String {
        location.isEmpty ? name : "\(location).\(name)"
    }

    /// All members. If `known` is nil, every name is accepted. If not, a name that is missing in
    /// `known` is rejected.
    package func members(
        among known: [String]? = nil
    ) throws(ProgrammeError) -> [(name: String, value: PlacedValue)] {
        guard case .object(let members) = value else { throw error("expected an object") }
        var result: [(name: String, value: PlacedValue)] = []
        for member in members {
            if let known, !known.contains(member.name) {
                throw error(
                    "unknown member \(member.name); known members: "
                        + known.joined(separator: ", "),
                    unknown: ProgrammeError.Unknown(word: member.name, known: known))
            }
            result.append(
                (member.name, PlacedValue(member.value, at: memberLocation(member.name))))
        }
        return result
    }

    package func elements() throws(ProgrammeError) -> [PlacedValue] {
        guard case .array(let values) = value else { throw error("expected an array") }
        return values.enumerated().map { PlacedValue($1, at: "\(location)[\($0)]") }
    }

    package func number(in range: ClosedRange<Double>) throws(ProgrammeError) -> Double {
        guard case .number(let number) = value else { throw error("expected a number") }
        guard range.contains(number) else {
            throw error(
                "expected \(Self.text(range.lowerBound)) to \(Self.text(range.upperBound))")
        }
        return number
    }

    /// A positive duration in milliseconds.
    package func duration() throws(ProgrammeError) -> Double {
        try number(in: ProgrammeLimits.timeMin...ProgrammeLimits.timeMax)
    }

    /// A number above 0.
    package func positiveNumber(upTo most: Double) throws(ProgrammeError) -> Double {
        let number = try number(in: -.greatestFiniteMagnitude ... .greatestFiniteMagnitude)
        guard number > 0, number <= most else {
            throw error("expected more than 0 and at most \(Self.text(most))")
        }
        return number
    }

    package func wholeNumber(in range: ClosedRange<Int>) throws(ProgrammeError) -> Int {
        guard case .number(let number) = value, let whole = Int(exactly: number) else {
            throw error("expected an integer")
        }
        guard range.contains(whole) else {
            throw error("expected \(range.lowerBound) to \(range.upperBound)")
        }
        return whole
    }

    package func flag() throws(ProgrammeError) -> Bool {
        guard case .bool(let flag) = value else { throw error("expected true or false") }
        return flag
    }

    package func text(
        upTo bytes: Int = ProgrammeLimits.textBytes
    ) throws(ProgrammeError) -> String {
        guard case .string(let text) = value else { throw error("expected a string") }
        guard text.utf8.count <= bytes else { throw error("at most \(bytes) bytes are allowed") }
        return text
    }

    /// A text of 1 to 32 bytes.
    package func name() throws(ProgrammeError) -> String {
        let name = try text(upTo: ProgrammeLimits.nameBytes)
        guard !name.isEmpty else {
            throw error("expected a name of 1 to \(ProgrammeLimits.nameBytes) bytes")
        }
        return name
    }

    package func keyword<Word>(_: Word.Type) throws(ProgrammeError) -> Word
    where Word: RawRepresentable & CaseIterable, Word.RawValue == String {
        let known = Word.allCases.map(\.rawValue)
        let reason = "expected one of \(known.joined(separator: ", "))"
        guard case .string(let text) = value else { throw error(reason) }
        guard let word = Word(rawValue: text) else {
            throw error(reason, unknown: ProgrammeError.Unknown(word: text, known: known))
        }
        return word
    }

    package func color() throws(ProgrammeError) -> RGBColor {
        guard case .string(let text) = value, let color = RGBColor(text) else {
            throw error("a colour is \"#rrggbb\"")
        }
        return color
    }

    package func path() throws(ProgrammeError) -> SVGPath {
        let text = try text(upTo: ProgrammeLimits.pathBytes)
        do throws(SVGPathError) {
            return try SVGPath(parsing: text)
        } catch {
            throw self.error(error.description)
        }
    }

    /// The shortest text of a number.
    private static func text(_ number: Double) -> String { JSONValue.number(number).text }
}
