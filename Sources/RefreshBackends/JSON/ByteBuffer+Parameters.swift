internal import RefreshBroker
internal import RefreshProtocol

extension ByteBuffer {
    /// Appends an object with the values of the parameters.
    mutating func append(_ parameters: [LoadParameter]) {
        append(UInt8(ascii: "{"))
        for (index, parameter) in parameters.enumerated() {
            if index > 0 { append(UInt8(ascii: ",")) }
            appendQuoted(parameter.name)
            append(UInt8(ascii: ":"))
            switch parameter.value {
            case .text(let text): appendQuoted(text)
            case .integer, .number, .boolean: append(parameter.value.text)
            }
        }
        append(UInt8(ascii: "}"))
    }
}
