/// Writes the commas between the members of an object.
package struct MemberSeparator {
    private var isFirst = true

    package init() {}

    @inline(__always)
    package mutating func appendSeparator(to out: inout ByteBuffer) {
        if isFirst { isFirst = false } else { out.append(0x2C as UInt8) }
    }
}
