/// One misdeed of a peer: which, in what field of which message.
package struct Fault: Error, Hashable, Sendable {
    package var code: FaultCode
    package var field: Field?
    package var seq: UInt64?
    package var view: ViewID?

    package init(
        _ code: FaultCode, field: Field? = nil, seq: UInt64? = nil, view: ViewID? = nil
    ) {
        self.code = code
        self.field = field
        self.seq = seq
        self.view = view
    }
}
