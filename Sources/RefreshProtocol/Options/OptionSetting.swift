/// One option and its value.
package struct OptionSetting: Hashable, Sendable {
    package var field: OptionField
    package var value: OptionValue

    package init(_ field: OptionField, _ value: OptionValue) {
        self.field = field
        self.value = value
    }

    /// Appends the setting as a member of an object.
    package func write(to out: inout ByteBuffer) {
        out.appendQuoted(field.wireName)
        out.append(0x3A as UInt8)
        value.write(to: &out)
    }
}
