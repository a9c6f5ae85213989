/// Short texts that are written often: all in one place, so that each is copied by a few wide
/// moves.
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

    package func bytes(of text: Text) -> [UInt8] {
        Array(bytes[text.start..<text.start + text.count])
    }

    package mutating func add(_ text: borrowing ByteBuffer) -> Text {
        let start = bytes.count - Self.stride
        let new = text.bytes
        bytes.insert(contentsOf: new, at: start)
        return Text(start: start, count: new.count)
    }

    /// Writes a text, with up to `stride` bytes of no meaning behind it; returns its length.
    @inline(__always)
    fileprivate func write(_ text: Text, to out: UnsafeMutablePointer<UInt8>) -> Int {
        precondition(text.start + text.count + Self.stride <= bytes.count)
        unsafe bytes.withUnsafeBytes { source in
            guard let base = source.baseAddress else { return }
            var moved = 0
            repeat {
                let piece = unsafe (base + text.start + moved).loadUnaligned(
                    as: SIMD32<UInt8>.self)
                unsafe UnsafeMutableRawPointer(out + moved).storeBytes(
                    of: piece, as: SIMD32<UInt8>.self)
                moved &+= Self.stride
            } while moved < text.count
        }
        return text.count
    }
}

extension ByteBuffer {
    /// Appends a text that was prepared there.
    @inline(__always)
    package mutating func append(_ text: PreparedTexts.Text, of texts: borrowing PreparedTexts) {
        unsafe appendUninitialized(atMost: text.count + PreparedTexts.stride) { out in
            unsafe texts.write(text, to: out)
        }
    }

    /// The same, and behind it a number of ten-thousandths as a decimal fraction, in its shortest
    /// form.
    @inline(__always)
    package mutating func append(
        _ text: PreparedTexts.Text, of texts: borrowing PreparedTexts, tenThousandths value: Int32
    ) {
        unsafe appendUninitialized(atMost: text.count + PreparedTexts.stride) { out in
            let length = unsafe texts.write(text, to: out)
            return unsafe length + NumberText.write(tenThousandths: value, to: out + length)
        }
    }

    /// Appends a number of ten-thousandths as a decimal fraction, in its shortest form.
    package mutating func append(tenThousandths value: Int32) {
        unsafe appendUninitialized(atMost: 16) { out in
            unsafe NumberText.write(tenThousandths: value, to: out)
        }
    }
}
