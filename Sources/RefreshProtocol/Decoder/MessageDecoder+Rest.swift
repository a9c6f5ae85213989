/// The rest of a frame after the last decoded message, as bytes for later handling.
extension MessageDecoder {
    /// The object of the message that was last decoded from `frame`, unchanged.
    package func lastObject(in frame: Span<UInt8>) -> [UInt8] {
        var scanner = JSONScanner(frame, from: objectStart, limits: .generous)
        // It is known to be well-formed.
        guard let range = try? scanner.skipValue(depth: 0) else { return [] }
        return bytes(of: frame, at: range)
    }

    /// The messages that are not decoded yet, as an array.
    package func remainingMessages(of frame: Span<UInt8>, at position: FramePosition) -> [UInt8] {
        guard case .inBatch = position.stage else { return Array("[]".utf8) }
        return [0x5B] + bytes(of: frame, at: position.index..<frame.count)
    }

    private func bytes(of frame: Span<UInt8>, at range: Range<Int>) -> [UInt8] {
        unsafe frame.withUnsafeBufferPointer { unsafe Array($0[range]) }
    }
}
