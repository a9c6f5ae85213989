import RefreshProtocol

/// Appends members to a JSON object. A comma is written before each member, so the object must
/// already have a member.
extension ByteBuffer {
    mutating func appendMember(_ name: StaticString, _ value: Double) {
        beginMember(name)
        append(value)
    }

    mutating func appendMember(_ name: StaticString, _ value: Int) {
        beginMember(name)
        append(value)
    }

    mutating func appendMember(_ name: StaticString, _ value: Bool) {
        beginMember(name)
        append(value)
    }

    mutating func appendMember(_ name: StaticString, _ value: String) {
        beginMember(name)
        appendQuoted(value)
    }

    mutating func appendMember(_ name: StaticString, _ value: ViewID) {
        beginMember(name)
        appendQuoted(value)
    }

    mutating func appendMember(_ name: StaticString, _ value: LoadID) {
        beginMember(name)
        append(0x22 as UInt8)
        append(UInt64(value.generation))
        append(0x2E as UInt8)
        append(UInt64(value.number))
        append(0x22 as UInt8)
    }

    mutating func beginMember(_ name: StaticString) {
        append(literal: #",""#)
        append(literal: name)
        append(literal: #"":"#)
    }
}
