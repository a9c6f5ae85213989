/// Returns the bytes as lower-case hexadecimal digits, two for each byte.
package func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
}
