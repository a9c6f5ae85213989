import RefreshProtocol

/// The properties of every frame from a client.
enum MessageProperties {
    /// The result of parsing one object of a frame.
    private struct Outcome: Equatable {
        var message: ClientMessage?
        var fault: Fault?
    }

    /// Limits that are so low that short inputs reach them.
    private static var narrow: Limits {
        var limits = Limits()
        (limits.jsonDepthMax, limits.stringBytesMax, limits.batchMessagesMax) = (2, 8, 2)
        return limits
    }

    static func check(_ input: [UInt8]) {
        check(input, features: nil)
        check(input, features: .all)
    }

    /// Checks the frame of a client with these features; nil for a client without features.
    private static func check(_ input: [UInt8], features: ClientFeatures?) {
        let limits = Limits()
        var decoder = MessageDecoder(limits: limits, features: features)
        let outcomes = outcomes(of: input, &decoder, limits)
        require(
            Self.outcomes(of: input, &decoder, limits) == outcomes,
            "a frame has the same meaning after another frame")
        var other = MessageDecoder(limits: narrow, features: features)
        _ = Self.outcomes(of: input, &other, narrow)
        if outcomes.count == 1, let message = outcomes[0].message, !isBatch(input) {
            checkBatch(of: message, input, &decoder, limits)
        }
    }

    /// Checks that a message has the same meaning in a batch that contains it twice. A fault is
    /// allowed if the message exceeds a limit only in the batch.
    private static func checkBatch(
        of message: ClientMessage, _ input: [UInt8], _ decoder: inout MessageDecoder,
        _ limits: Limits
    ) {
        let batch = Array("[".utf8) + input + Array(",".utf8) + input + Array("]".utf8)
        for outcome in outcomes(of: batch, &decoder, limits) {
            require(
                outcome.message == message || outcome.fault?.code == .depthExceeded
                    || outcome.fault?.code == .stringTooLong,
                "a message has the same meaning in a batch")
        }
    }

    private static func outcomes(
        of frame: [UInt8], _ decoder: inout MessageDecoder, _ limits: Limits
    ) -> [Outcome] {
        var outcomes: [Outcome] = []
        var position = FramePosition()
        while !position.isAtEnd {
            switch decoder.next(in: frame.span, at: &position) {
            case .end: require(position.isAtEnd, "after `end`, the position is at the end")
            case .message(let message): outcomes.append(Outcome(message: message))
            case .fault(let fault): outcomes.append(Outcome(fault: fault))
            }
            require(
                outcomes.count <= max(1, limits.batchMessagesMax),
                "a frame has no more messages than allowed")
        }
        guard case .end = decoder.next(in: frame.span, at: &position) else {
            require(false, "at the end of the frame, the decoder returns `end` again")
            return outcomes
        }
        return outcomes
    }

    private static func isBatch(_ input: [UInt8]) -> Bool {
        input.first { !Array(" \t\r\n".utf8).contains($0) } == UInt8(ascii: "[")
    }
}
