internal import RefreshBroker
internal import RefreshProtocol

/// The JSON body of a `POST`, with placeholders in its strings.
///
/// Constant parts are encoded once. A string that consists of one placeholder is replaced by the
/// placeholder's value in its own JSON type, or by `null` if there is no value. In a longer string,
/// the value's text is inserted. Values are encoded as JSON, so a value cannot change the structure
/// of the body.
struct BodyTemplate: Hashable, Sendable {
    private enum Piece: Hashable, Sendable {
        case json([UInt8])
        case value(Placeholder)
        case string(TemplateText)
    }

    private var pieces: [Piece] = []

    /// Creates a template from the JSON text `body`. Its numbers keep their source form.
    /// `parameters` are the names that the feed declares. Throws an error for the key `body`.
    init(_ body: [UInt8], parameters: [String]) throws(BackendConfigurationError) {
        var json = ByteBuffer()
        for part in try BodyParts(body).all { try add(part, parameters, &json) }
        flushConstant(&json)
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

    /// Ends the current constant piece.
    private mutating func flushConstant(_ json: inout ByteBuffer) {
        if json.count > 0 { pieces.append(.json(json.bytes)) }
        json.removeAll()
    }

    private mutating func add(
        _ part: BodyParts.Part, _ parameters: [String], _ json: inout ByteBuffer
    ) throws(BackendConfigurationError) {
        switch part {
        case .json(let bytes): json.append(bytes)
        case .name(let name): try write(name: name, to: &json)
        case .text(let text): try read(text, parameters, &json)
        }
    }

    private func write(
        name: String, to json: inout ByteBuffer
    ) throws(BackendConfigurationError) {
        guard !name.contains(where: { $0 == "{" || $0 == "}" }) else {
            throw BackendConfigurationError("body", "Placeholders are not allowed in names.")
        }
        json.appendQuoted(name)
    }

    private mutating func read(
        _ text: String, _ parameters: [String], _ json: inout ByteBuffer
    ) throws(BackendConfigurationError) {
        let template = try TemplateText(
            text[...], parameters: parameters, key: "body", doublingBraces: true)
        guard template.parts.count <= 1 else {
            flushConstant(&json)
            pieces.append(.string(template))
            return
        }
        switch template.parts.first {
        case nil:
            json.appendQuoted("")
        case .text(let plain):
            json.appendQuoted(plain)
        case .placeholder(let placeholder):
            flushConstant(&json)
            pieces.append(.value(placeholder))
        }
    }
}
