internal import RefreshProtocol
internal import Yams

extension SettingsReader {
    /// Returns a value as JSON. Mappings become objects. The unquoted words `true`, `false` and
    /// `null` become the JSON literals, and `~` becomes `null`. Unquoted numbers that are valid in
    /// JSON are copied digit by digit.
    mutating func json(_ node: Node, key: String) -> [UInt8]? {
        var json = ByteBuffer()
        let problems = problems.count
        append(node, key: key, depth: 0, to: &json)
        return self.problems.count == problems ? json.bytes : nil
    }

    /// The maximum nesting depth. It equals the maximum nesting depth of a backend's answers.
    private static let depthMax = 64

    private mutating func append(
        _ node: Node, key: String, depth: Int, to json: inout ByteBuffer
    ) {
        guard depth <= Self.depthMax else {
            report("nested deeper than \(Self.depthMax)", key: key, at: node)
            return
        }
        switch node {
        case .scalar(let scalar):
            if !Self.append(scalar, to: &json) {
                report("a number does not fit a double", key: key, at: node)
            }
        case .sequence(let sequence):
            json.append(literal: "[")
            for (index, item) in sequence.enumerated() {
                if index > 0 { json.append(literal: ",") }
                append(item, key: key, depth: depth + 1, to: &json)
            }
            json.append(literal: "]")
        case .mapping:
            guard let mapping = mapping(node, key: key) else { return }
            json.append(literal: "{")
            for (index, entry) in mapping.entries.enumerated() {
                if index > 0 { json.append(literal: ",") }
                json.appendQuoted(entry.name)
                json.append(literal: ":")
                append(entry.value, key: entry.key, depth: depth + 1, to: &json)
            }
            json.append(literal: "}")
        case .alias:
            report("an alias is not allowed as a value here", key: key, at: node)
        }
    }

    /// Appends a scalar. Returns false for a number that is out of a double's range.
    private static func append(_ scalar: Node.Scalar, to json: inout ByteBuffer) -> Bool {
        guard scalar.style == .plain else {
            json.appendQuoted(scalar.string)
            return true
        }
        switch scalar.string {
        case "", "~", "null": json.append(literal: "null")
        case "true": json.append(literal: "true")
        case "false": json.append(literal: "false")
        case let text:
            let bytes = Array(text.utf8)
            do throws(FaultCode) {
                if try JSONNumber.skip(bytes.span, at: 0) == bytes.count {
                    json.append(bytes)
                } else {
                    json.appendQuoted(text)
                }
            } catch {
                // A word such as 5e884898da begins like a number that is out of range.
                if error == .numberOutOfRange, text.allSatisfy({ "0123456789+-.eE".contains($0) }) {
                    return false
                }
                json.appendQuoted(text)
            }
        }
        return true
    }
}
