internal import RefreshBroker
internal import RefreshProtocol

/// A text with placeholders in braces.
struct TemplateText: Hashable, Sendable {
    enum Part: Hashable, Sendable {
        case text(String)
        case placeholder(Placeholder)
    }

    let parts: [Part]

    /// Parses the text of the configuration key `key`. If `doublingBraces` is true, a doubled brace
    /// stands for a literal brace.
    init(
        _ text: Substring, parameters: [String], key: String, doublingBraces: Bool = false
    ) throws(BackendConfigurationError) {
        var parts: [Part] = []
        var plain = ""
        var rest = text
        while let brace = rest.firstIndex(where: { $0 == "{" || $0 == "}" }) {
            plain += rest[..<brace]
            let character = rest[brace]
            rest = rest[rest.index(after: brace)...]
            if doublingBraces, rest.first == character {
                plain.append(character)
                rest = rest.dropFirst()
                continue
            }
            guard character == "{" else {
                throw BackendConfigurationError(key, "It has a } without {.")
            }
            guard let close = rest.firstIndex(of: "}") else {
                throw BackendConfigurationError(key, "It has a { without }.")
            }
            let placeholder = try Placeholder(rest[..<close], parameters: parameters, key: key)
            if !plain.isEmpty { parts.append(.text(plain)) }
            parts.append(.placeholder(placeholder))
            plain = ""
            rest = rest[rest.index(after: close)...]
        }
        plain += rest
        if !plain.isEmpty { parts.append(.text(plain)) }
        self.parts = parts
    }

    /// Returns the text. Each placeholder is replaced by the text of its value, encoded by
    /// `encode`. If a value is missing, its text is empty.
    func expanded(for request: LoadRequest, _ encode: (String) -> String) -> String {
        var text = ""
        for part in parts {
            switch part {
            case .text(let plain): text += plain
            case .placeholder(let placeholder):
                text += encode(placeholder.value(in: request)?.text ?? "")
            }
        }
        return text
    }
}
