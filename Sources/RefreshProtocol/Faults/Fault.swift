/// One violation of the protocol by a client, with the field and the message that it concerns.
package struct Fault: Error, Hashable, Sendable {
    package var code: FaultCode
    package var field: Field?
    /// The option, if the field belongs to an option object.
    package var option: OptionField?
    /// The field, if it exists only in `hello`.
    package var hello: HelloField?
    package var seq: UInt64?
    package var view: ViewID?
    /// The name of the edit, if the message is `edit` and has a valid name.
    package var edit: String?

    package init(
        _ code: FaultCode, field: Field? = nil, seq: UInt64? = nil, view: ViewID? = nil
    ) {
        self.code = code
        self.field = field
        self.seq = seq
        self.view = view
    }

    package init(_ code: FaultCode, option: OptionField) {
        self.code = code
        self.option = option
    }

    package init(_ code: FaultCode, hello: HelloField) {
        self.code = code
        self.hello = hello
    }

    /// The field's name on the wire.
    package var fieldName: String? { option?.wireName ?? hello?.wireName ?? field?.wireName }
}
