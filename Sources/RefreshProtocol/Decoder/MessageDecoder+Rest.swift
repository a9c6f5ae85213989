/// What a frame holds besides the message that was decoded last, as bytes: for who handles it
/// later.
extension MessageDecoder {
    /// The object of the message that was decoded last from `frame`, as it stands there.
    package func lastObject(in frame: Span<UInt8>) -> [UInt8] {
        var scanner = JSONScanner(frame, from: objectStart, limits: .generous)
        // It was found to be well-formed.
        guard let range = try? scanner.skipValue(depth: 0) else { return [] }
        return bytes(of: frame, at: range)
    }

    /// The messages that were not decoded yet, as an array of them.
    package func rest(of frame: Span<UInt8>, at position: FramePosition) -> [UInt8] {
        guard case .inBatch = position.stage else { return Array("[]".utf8) }
        return [0x5B] + bytes(of: frame, at: position.index..<frame.count)
    }

    private func bytes(of frame: Span<UInt8>, at range: Range<Int>) -> [UInt8] {
        unsafe frame.withUnsafeBufferPointer { unsafe Array($0[range]) }
    }
}
