package import RefreshProtocol

/// The explanation of a fault, a diagnostic or a close code: its meaning and advice for the client.
/// The texts are those of the registries from which the tables of docs/protocol.md are generated.
package struct Explanation: Hashable, Sendable {
    package enum Kind: String, Sendable {
        case fault
        case diagnostic
        case close
    }

    /// The name of a fault or diagnostic, or the number of a close code.
    package let code: String
    package let kind: Kind
    package let meaning: String
    /// What the code concerns, as text, such as "the connection and the session".
    package let scope: String
    /// The party that is responsible for a close with this code. Nil for faults and diagnostics.
    package let responsibleParty: ResponsibleParty?
    /// Whether the same request can succeed later without a change.
    package let isTemporary: Bool
    /// For a fault, its close code. For a close code, its faults. Empty for a diagnostic.
    package let others: [String]
    /// What the client should do.
    package let advice: String

    /// The section that documents the code.
    package let page: String

    private static let faults = "docs/protocol.md#faults"
    private static let diagnostics = "docs/protocol.md#diagnostics"
    private static let closeCodes = "docs/protocol.md#close-codes"

    init(_ fault: FaultCode) {
        code = fault.rawValue
        kind = .fault
        meaning = fault.message
        scope = "the \(fault.scope.rawValue)"
        responsibleParty = nil
        isTemporary = fault.isTemporary
        others = fault.closeCode.map { [String($0.rawValue)] } ?? []
        advice = fault.advice
        page = Self.faults
    }

    init(_ diagnostic: DiagnosticCode) {
        code = diagnostic.rawValue
        kind = .diagnostic
        meaning = diagnostic.message
        scope = "the message"
        responsibleParty = nil
        isTemporary = diagnostic.isTemporary
        others = []
        advice = diagnostic.advice
        page = diagnostic.page ?? Self.diagnostics
    }

    init(_ close: CloseCode) {
        code = String(close.rawValue)
        kind = .close
        meaning = close.meaning
        scope =
            close.keepsSession
            ? "the connection; the session is kept for a while" : "the connection and the session"
        responsibleParty = close.responsibleParty
        isTemporary = close.isTemporary
        others = FaultCode.allCases.filter { $0.closeCode == close }.map(\.rawValue)
        advice = close.advice
        page = Self.closeCodes
    }

    init(_ close: StandardCloseCode) {
        code = String(close.rawValue)
        kind = .close
        meaning = close.meaning
        scope =
            close.keepsSession
            ? "the connection; the session is kept for a while"
            : "the connection, before there is a session"
        responsibleParty = close.responsibleParty
        isTemporary = close.isTemporary
        others = []
        advice = close.advice
        page = Self.closeCodes
    }

    /// The explanations of all faults, all diagnostics and all close codes. The close codes are
    /// sorted by number.
    package static let all: [Explanation] =
        FaultCode.allCases.map { Explanation($0) }
        + DiagnosticCode.allCases.map { Explanation($0) }
        + (CloseCode.allCases.map { Explanation($0) }
        + StandardCloseCode.allCases.map { Explanation($0) })
        .sorted { $0.code < $1.code }

    /// Returns the explanation of the code with this name or number. Nil if there is no such code.
    /// An exact match is preferred. If there is none, the case of letters is ignored.
    package static func forCode(_ code: String) -> Explanation? {
        all.first { $0.code == code } ?? all.first { $0.code.lowercased() == code.lowercased() }
    }

    /// Returns the codes that resemble an unknown code. The most likely code is first.
    package static func suggestions(for code: String) -> [String] {
        if let number = Int(code) {
            // For a number, the suggestions are the close codes with the same digits before the
            // last two digits. Clients handle these codes alike.
            return all.filter { $0.kind == .close }.map(\.code)
                .filter { (Int($0) ?? 0) / 100 == number / 100 }
        }
        let names = all.filter { $0.kind != .close }.map(\.code)
        let close = SpellingSuggestion.suggestion(for: code, among: names)
        let holding = names.filter {
            code.count > 2 && $0.lowercased().contains(code.lowercased()) && $0 != close
        }
        return (close.map { [$0] } ?? []) + holding
    }

    /// The explanation as text: the code and its kind, then one line for each property.
    package var text: String {
        var rows = [("means", meaning), ("concerns", scope)]
        if let responsibleParty { rows.append(("responsible", responsibleParty.phrase)) }
        rows.append(("temporary", isTemporary ? "yes: the same request may succeed later" : "no"))
        if !others.isEmpty {
            rows.append(
                (kind == .close ? "faults" : "closes with", others.joined(separator: ", ")))
        }
        rows += [("what to do", advice), ("see", page)]
        let width = 13
        let lines = rows.map { name, value in
            "  \(name)" + String(repeating: " ", count: width - name.count) + value
        }
        return (["\(code)  (\(kind == .close ? "close code" : kind.rawValue))"] + lines)
            .joined(separator: "\n")
    }

    /// The explanation as a JSON object.
    package var json: JSONValue {
        .object([
            .init("code", kind == .close ? .number(Double(code) ?? 0) : .string(code)),
            .init("kind", .string(kind.rawValue)), .init("meaning", .string(meaning)),
            .init("concerns", .string(scope)),
            .init("blame", responsibleParty.map { .string($0.rawValue) } ?? .null),
            .init("temporary", .bool(isTemporary)),
            .init(
                kind == .close ? "faults" : "closes",
                kind == .close
                    ? .array(others.map(JSONValue.string))
                    : others.first.flatMap(Double.init).map(JSONValue.number) ?? .null),
            .init("advice", .string(advice)), .init("page", .string(page)),
        ])
    }
}
