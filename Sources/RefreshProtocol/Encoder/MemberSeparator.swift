/// Writes the commas between the members of an object.
struct MemberSeparator {
    private var isFirst = true

    @inline(__always)
    mutating func next(_ out: inout ByteBuffer) {
        if isFirst { isFirst = false } else { out.append(0x2C as UInt8) }
    }
}
