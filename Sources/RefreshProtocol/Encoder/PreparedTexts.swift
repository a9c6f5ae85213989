/// Short texts that are written often. They are stored together in one array, so that a text is
/// copied with a few wide moves.
package struct PreparedTexts: Sendable {
    /// A reference to one of the texts.
    package struct Text: Sendable {
        fileprivate var start: Int
        package fileprivate(set) var count: Int

        /// The same text without its first bytes.
        package func dropFirst(_ bytes: Int) -> Text {
            Text(start: start + bytes, count: count - bytes)
        }
    }

    /// The number of bytes of one move.
    fileprivate static let stride = 32

    /// The texts, followed by the zeros that a move may read beyond the last text.
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

    /// Writes a text, and after it up to `stride` bytes without meaning. Returns the length of the
    /// text.
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
    /// Appends a text of `texts`.
    @inline(__always)
    package mutating func append(_ text: PreparedTexts.Text, of texts: borrowing PreparedTexts) {
        unsafe appendUninitialized(atMost: text.count + PreparedTexts.stride) { out in
            unsafe texts.write(text, to: out)
        }
    }

    /// Appends a text, followed by a number of ten-thousandths as the shortest decimal fraction.
    @inline(__always)
    package mutating func append(
        _ text: PreparedTexts.Text, of texts: borrowing PreparedTexts, tenThousandths value: Int32
    ) {
        unsafe appendUninitialized(atMost: text.count + PreparedTexts.stride) { out in
            let length = unsafe texts.write(text, to: out)
            return unsafe length + JSONNumber.write(tenThousandths: value, to: out + length)
        }
    }

    /// Appends a number of ten-thousandths as the shortest decimal fraction.
    package mutating func append(tenThousandths value: Int32) {
        unsafe appendUninitialized(atMost: 16) { out in
            unsafe JSONNumber.write(tenThousandths: value, to: out)
        }
    }
}

extension Edge {
    /// The wire name as bytes, without a string.
    var wireText: StaticString {
        switch self {
        case .top: "top"
        case .bottom: "bottom"
        case .leading: "leading"
        case .trailing: "trailing"
        }
    }
}

extension EdgeState {
    /// The wire name as bytes, without a string.
    var wireText: StaticString {
        switch self {
        case .disabled: "disabled"
        case .idle: "idle"
        case .pulling: "pulling"
        case .eligible: "eligible"
        case .triggered: "triggered"
        case .refreshing: "refreshing"
        case .succeeded: "succeeded"
        case .finishing: "finishing"
        case .approaching: "approaching"
        case .loading: "loading"
        case .failed: "failed"
        case .noMore: "noMore"
        }
    }
}
