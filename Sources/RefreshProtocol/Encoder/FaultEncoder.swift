/// Writes `error` messages. Source: docs/protocol.md, "error".
package enum FaultEncoder {
    package static func write(_ fault: Fault, to out: inout ByteBuffer) {
        out.append(literal: #"{"type":"error","code":"#)
        out.appendQuoted(fault.code.rawValue)
        out.append(literal: #","message":"#)
        out.appendQuoted(fault.code.message)
        if let field = fault.fieldName {
            out.append(literal: #","field":"#)
            out.appendQuoted(field)
        }
        if let seq = fault.seq {
            out.append(literal: #","seq":"#)
            out.append(seq)
        }
        if let view = fault.view {
            out.append(literal: #","view":"#)
            out.appendQuoted(view)
        }
        out.append(literal: #","temporary":"#)
        out.append(fault.code.isTemporary)
        if fault.code == .unsupportedProtocol {
            out.append(literal: #","versions":["#)
            out.append(ProtocolVersion.current)
            out.append(0x5D as UInt8)
        }
        out.append(0x7D as UInt8)
    }
}
