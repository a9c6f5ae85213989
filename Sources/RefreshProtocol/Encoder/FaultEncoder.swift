/// Writes `error` messages. Source: docs/protocol.md, "error".
package enum FaultEncoder {
    package static func write(_ fault: Fault, to out: inout ByteBuffer) {
        out.append(#"{"type":"error","code":"#)
        out.appendQuoted(fault.code.rawValue)
        out.append(#","message":"#)
        out.appendQuoted(fault.code.message)
        if let field = fault.field {
            out.append(#","field":"#)
            out.appendQuoted(field.wireName)
        }
        if let seq = fault.seq {
            out.append(#","seq":"#)
            out.append(seq)
        }
        if let view = fault.view {
            out.append(#","view":"#)
            out.appendQuoted(view)
        }
        out.append(#","temporary":"#)
        out.append(fault.code.isTemporary)
        if fault.code == .unsupportedProtocol {
            out.append(#","versions":["#)
            out.append(ProtocolVersion.current)
            out.append(0x5D as UInt8)
        }
        out.append(0x7D as UInt8)
    }
}
