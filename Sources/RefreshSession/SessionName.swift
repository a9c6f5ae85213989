/// The name of a session, in the protocol and in logs.
package enum SessionName {
    /// Sixteen hexadecimal digits from random bits: hard to guess, but not a secret.
    package static func text(_ bits: UInt64) -> String {
        let digits = String(bits, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
