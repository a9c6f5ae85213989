/// Short texts that are written often: all in one place, so that each is copied by a few wide moves.
package struct PreparedTexts: Sendable {
    /// One of them.
    package struct Text: Sendable {
        fileprivate var start: Int
        package fileprivate(set) var count: Int

        /// The same without its first bytes.
        package func dropFirst(_ bytes: Int) -> Text {
            Text(start: start + bytes, count: count - bytes)
        }
    }

    /// Bytes that are moved at once.
    fileprivate static let stride = 32

    /// The texts, and as many zeros behind them as a move may read beyond its text.
    fileprivate private(set) var bytes = [UInt8](repeating: 0, count: stride)

    package init() {}

    package mutating func add(_ text: borrowing ByteBuffer) -> Text {
        let start = bytes.count - Self.stride
        let new = text.bytes
        bytes.insert(contentsOf: new, at: start)
        return Text(start: start, count: new.count)
    }
}

extension ByteBuffer {
    /// Appends a text that was prepared there.
    @inline(__always)
    package mutating func append(_ text: PreparedTexts.Text, of texts: borrowing PreparedTexts) {
        let stride = PreparedTexts.stride
        let bytes = texts.bytes.span
        let (start, count) = (text.start, text.count)
        precondition(start + count + stride <= bytes.count)
        unsafe appendUninitialized(atMost: count + stride) { out in
            unsafe bytes.withUnsafeBytes { source in
                guard let from = unsafe source.baseAddress.map({ unsafe $0 + start }) else {
                    return 0
                }
                let to = UnsafeMutableRawPointer(out)
                var moved = 0
                repeat {
                    let piece = unsafe (from + moved).loadUnaligned(as: SIMD32<UInt8>.self)
                    unsafe (to + moved).storeBytes(of: piece, as: SIMD32<UInt8>.self)
                    moved &+= stride
                } while moved < count
                return count
            }
        }
    }

    /// Appends a number of ten-thousandths as a decimal fraction, in its shortest form.
    @inline(__always)
    package mutating func append(tenThousandths value: Int32) {
        unsafe appendUninitialized(atMost: 16) { out in
            unsafe NumberText.write(tenThousandths: value, to: out)
        }
    }
}
