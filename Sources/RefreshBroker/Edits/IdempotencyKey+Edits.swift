extension IdempotencyKey {
    // The hash protects no secret: users cannot choose their subjects. 128 bits are enough that two
    // subjects never have the same hash.
    private static let first = SipHash(key: 0x6564_6974, 1)
    private static let second = SipHash(key: 0x6564_6974, 2)

    /// The key of an edit, with at most 97 ASCII characters. It is the same at each node and in
    /// each session of the subject. Source: docs/protocol.md, "Edits".
    package static func text(edit: String, feed: String, subject: String?) -> String {
        var bytes: [UInt8] = subject == nil ? [0] : [1]
        bytes += Array((subject ?? "").utf8)
        // No text has this byte.
        bytes.append(0xFF)
        bytes += Array(feed.utf8)
        let digits = [first, second].map { function in
            let digits = String(function.hash(bytes.span, in: bytes.indices), radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }
        return "\(edit)-\(digits.joined())"
    }
}
