internal import RefreshProtocol

/// The JSON body of a `POST`, with placeholders in its strings.
///
/// All that does not change is written once. A string that is one placeholder becomes a value of
/// its type, `null` for nothing; in a longer one the value's text is put in. Values are written as
/// JSON, so none can end the place it stands in.
struct BodyTemplate: Hashable, Sendable {
    private enum Piece: Hashable, Sendable {
        case json([UInt8])
        case value(Placeholder)
        case string(TemplateText)
    }

    private static let depthMax = 64

    private var pieces: [Piece] = []

    /// Throws for the key `body`; `parameters` are the names that the feed declares.
    init(_ body: JSONValue, parameters: [String]) throws(BackendConfigurationError) {
        var json = ByteBuffer()
        try read(body, depth: 0, parameters, &json)
        close(&json)
    }

    func bytes(for request: LoadRequest) -> [UInt8] {
        var out = ByteBuffer()
        for piece in pieces {
            switch piece {
            case .json(let bytes): out.append(bytes)
            case .value(let placeholder): Self.write(placeholder.value(in: request), to: &out)
            case .string(let text): out.appendQuoted(text.expanded(for: request) { $0 })
            }
        }
        return out.bytes
    }

    private static func write(_ value: ParameterValue?, to out: inout ByteBuffer) {
        switch value {
        case nil: out.append(literal: "null")
        case .text(let text): out.appendQuoted(text)
        case .integer, .number, .boolean: out.append(value?.text ?? "null")
        }
    }

    /// Ends the piece that does not change.
    private mutating func close(_ json: inout ByteBuffer) {
        if json.count > 0 { pieces.append(.json(json.bytes)) }
        json.removeAll()
    }

    private mutating func read(
        _ value: JSONValue, depth: Int, _ parameters: [String], _ json: inout ByteBuffer
    ) throws(BackendConfigurationError) {
        guard depth <= Self.depthMax else {
            throw BackendConfigurationError("body", "It is nested deeper than \(Self.depthMax).")
        }
        switch value {
        case .null, .bool:
            value.write(to: &json)
        case .number(let number):
            guard number.isFinite else {
                throw BackendConfigurationError("body", "It holds a number that JSON cannot say.")
            }
            json.append(number)
        case .string(let text):
            try read(text, parameters, &json)
        case .array(let values):
            json.append(UInt8(ascii: "["))
            for (index, value) in values.enumerated() {
                if index > 0 { json.append(UInt8(ascii: ",")) }
                try read(value, depth: depth + 1, parameters, &json)
            }
            json.append(UInt8(ascii: "]"))
        case .object(let members):
            json.append(UInt8(ascii: "{"))
            for (index, member) in members.enumerated() {
                if index > 0 { json.append(UInt8(ascii: ",")) }
                try write(name: member.name, to: &json)
                try read(member.value, depth: depth + 1, parameters, &json)
            }
            json.append(UInt8(ascii: "}"))
        }
    }

    private func write(
        name: String, to json: inout ByteBuffer
    ) throws(BackendConfigurationError) {
        guard !name.contains(where: { $0 == "{" || $0 == "}" }) else {
            throw BackendConfigurationError("body", "Placeholders cannot stand in names.")
        }
        json.appendQuoted(name)
        json.append(UInt8(ascii: ":"))
    }

    private mutating func read(
        _ text: String, _ parameters: [String], _ json: inout ByteBuffer
    ) throws(BackendConfigurationError) {
        let template = try TemplateText(
            text[...], parameters: parameters, key: "body", doublingBraces: true)
        guard template.parts.count <= 1 else {
            close(&json)
            pieces.append(.string(template))
            return
        }
        switch template.parts.first {
        case nil:
            json.appendQuoted("")
        case .text(let plain):
            json.appendQuoted(plain)
        case .placeholder(let placeholder):
            close(&json)
            pieces.append(.value(placeholder))
        }
    }
}
