/// Writes `diagnostic` messages. Source: docs/protocol.md, "diagnostic".
package enum DiagnosticEncoder {
    /// `dropped` is the number of diagnostics that were not sent since the last one that was sent.
    package static func write(
        _ diagnostic: Diagnostic, dropped: Int = 0, to out: inout ByteBuffer
    ) {
        out.append(literal: #"{"type":"diagnostic","code":"#)
        out.appendQuoted(diagnostic.code.rawValue)
        out.append(literal: #","message":"#)
        out.appendQuoted(diagnostic.code.message)
        if let field = diagnostic.field {
            out.append(literal: #","field":"#)
            out.appendQuoted(field)
        }
        if let suggestion = diagnostic.suggestion {
            out.append(literal: #","suggestion":"#)
            out.appendQuoted(suggestion)
        }
        if let seq = diagnostic.seq {
            out.append(literal: #","seq":"#)
            out.append(seq)
        }
        if let view = diagnostic.view {
            out.append(literal: #","view":"#)
            out.appendQuoted(view)
        }
        if let page = diagnostic.code.page {
            out.append(literal: #","page":"#)
            out.appendQuoted(page)
        }
        if dropped > 0 {
            out.append(literal: #","dropped":"#)
            out.append(dropped)
        }
        out.append(0x7D as UInt8)
    }
}
