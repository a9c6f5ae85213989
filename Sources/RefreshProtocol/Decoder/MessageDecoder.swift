/// Decodes frames into messages, one at a time. It does not allocate for frequent messages:
/// `scroll`, `pan`, and requests that contain neither objects nor load identifiers.
///
/// ```
/// var position = FramePosition()
/// while let decoded = decoder.next(in: frame, at: &position) { … }
/// ```
///
/// A frame that is not well-formed JSON gives one fault and no message. In a well-formed batch,
/// each object is independent of the others. Source: docs/protocol.md, "Frames, batches, fields".
package struct MessageDecoder: ~Copyable {
    let limits: Limits
    let vocabulary = Vocabulary()
    let scrollType = PackedName(MessageType.scroll.wireName)
    let draggingPhase = PackedName(ScrollPhase.dragging.wireName)
    /// The limits of every message except a `hello` with a long token or snapshot.
    var jsonLimits: JSONLimits
    let table = FieldTable()
    /// The features of the client. If they are nil, the names that only clients with features know
    /// are unknown. All sessions of a loop use the same decoder, so a session sets its features for
    /// each frame.
    package var features: ClientFeatures?
    /// The beginning of the object whose fields are in the table.
    package private(set) var objectStart = 0

    /// `features`: those of the client that sends the messages.
    package init(limits: Limits, features: ClientFeatures? = nil) {
        self.limits = limits
        self.features = features
        self.jsonLimits = JSONLimits(limits)
    }

    /// The next message or fault of the frame, or `end`.
    package mutating func next(
        in frame: Span<UInt8>, at position: inout FramePosition
    ) -> DecodedMessage {
        switch position.stage {
        case .start:
            position.stage = .end
            do throws(FaultCode) {
                var scanner = JSONScanner(frame, limits: jsonLimits)
                scanner.skipSpace()
                guard scanner.peek == 0x5B else { return try decodeSingleMessage(&scanner) }
                let count = try batchCount(&scanner)
                guard count > 0 else { return .end }
                position.stage = .inBatch
                position.index = scanner.index + 1
            } catch .stringTooLong {
                return decodeLongHello(in: frame, at: &position)
            } catch {
                return .fault(Fault(error))
            }
            return nextInBatch(frame, at: &position)
        case .inBatch: return nextInBatch(frame, at: &position)
        case .end: return .end
        }
    }

    /// Decodes the message of a frame that is not a batch. The whole frame must be well-formed.
    @inline(__always)
    private mutating func decodeSingleMessage(
        _ scanner: inout JSONScanner
    ) throws(FaultCode) -> DecodedMessage {
        do throws(FaultCode) {
            try readFields(&scanner, depth: 1)
        } catch .duplicateField {
            return .fault(Fault(.duplicateField))
        }
        scanner.skipSpace()
        guard scanner.isAtEnd else { throw .malformedJSON }
        return message(in: scanner.bytes)
    }

    /// Checks that a whole batch is well-formed, and counts its objects. The scanner stays at the
    /// opening `[`.
    func batchCount(_ scanner: inout JSONScanner) throws(FaultCode) -> Int {
        var ahead = JSONScanner(scanner.bytes, from: scanner.index, limits: jsonLimits)
        var count = 0
        try ahead.expect(0x5B)
        if !ahead.consumeByte(0x5D) {
            repeat {
                _ = try ahead.skipValue(depth: 1)
                count += 1
            } while ahead.consumeByte(0x2C)
            try ahead.expect(0x5D)
        }
        ahead.skipSpace()
        guard ahead.isAtEnd else { throw .malformedJSON }
        guard count <= limits.batchMessagesMax else { throw .batchTooLong }
        return count
    }

    private mutating func nextInBatch(
        _ frame: Span<UInt8>, at position: inout FramePosition
    ) -> DecodedMessage {
        var scanner = JSONScanner(frame, from: position.index, limits: jsonLimits)
        let decoded: DecodedMessage
        do throws(FaultCode) {
            let element = try scanner.skipValue(depth: 1)
            position.stage = scanner.consumeByte(0x2C) ? .inBatch : .end
            position.index = scanner.index
            var object = JSONScanner(frame, from: element.lowerBound, limits: jsonLimits)
            try readFields(&object, depth: 2)
            decoded = message(in: frame)
        } catch {
            return .fault(Fault(error))
        }
        return decoded
    }

    /// Reads an object's known fields into the table.
    @inline(__always)
    mutating func readFields(
        _ scanner: inout JSONScanner, depth: Int
    ) throws(FaultCode) {
        table.removeAll()
        objectStart = scanner.index
        try vocabulary.readObject(&scanner, into: table, depth: depth)
    }

    /// Reads the fields of an object within a message. The object is known to be well-formed.
    func fields(
        of token: FieldToken, _ field: Field, in frame: Span<UInt8>
    ) throws(Fault) -> FieldTable {
        guard token.kind == .object else { throw Fault(.invalidField, field: field) }
        let inner = FieldTable()
        var scanner = JSONScanner(frame, from: Int(token.start), limits: jsonLimits)
        do throws(FaultCode) {
            try vocabulary.readObject(&scanner, into: inner, depth: 2)
        } catch {
            throw Fault(error, field: field)
        }
        if let members = KnownMembers.objects[field] { inner.countMisplaced(in: members) }
        table.ignored.unknownFields &+= inner.ignored.unknownFields
        return inner
    }

    /// Whether the decoder has ignored members since the last call of `consumeIgnored`.
    package var hasIgnored: Bool { !table.ignored.isEmpty }

    /// Returns the number of members, by kind, that the decoder has ignored since the last call,
    /// and resets it to 0.
    package mutating func consumeIgnored() -> IgnoredMembers {
        defer { table.ignored = IgnoredMembers() }
        return table.ignored
    }

    /// Builds the message whose fields are in the table. If the fields are not valid, returns the
    /// fault, with the parts of the message's header that could be read.
    @inline(__always)
    mutating func message(in frame: Span<UInt8>) -> DecodedMessage {
        do throws(Fault) {
            return .message(try build(in: frame))
        } catch {
            var fault = error
            if let seq = try? table.integer(.seq, in: 1...Self.sequenceMax) {
                fault.seq = UInt64(seq)
            }
            if let view = try? table.viewID(in: frame) { fault.view = view }
            return .fault(fault)
        }
    }

    /// The largest whole number that every JSON reader preserves exactly: 2^53 is excluded because
    /// 2^53 + 1 is also read as 2^53. Source: RFC 7493, section 2.2.
    static let sequenceMax = (1 << 53) - 1
}

/// The result of decoding one object of a frame.
package enum DecodedMessage: Sendable {
    case message(ClientMessage)
    case fault(Fault)
    /// The frame is completely decoded. This is a case because a nil result would cost an
    /// additional test for each message.
    case end
}

/// Access to the bytes of a frame: the message that was decoded last, and the messages after it.
extension MessageDecoder {
    /// The object of the message that was last decoded from `frame`, unchanged.
    package func lastObject(in frame: Span<UInt8>) -> [UInt8] {
        var scanner = JSONScanner(frame, from: objectStart, limits: .generous)
        // The object is known to be well-formed.
        guard let range = try? scanner.skipValue(depth: 0) else { return [] }
        return bytes(of: frame, at: range)
    }

    /// The messages that are not decoded yet, as an array.
    package func remainingMessages(of frame: Span<UInt8>, at position: FramePosition) -> [UInt8] {
        guard case .inBatch = position.stage else { return Array("[]".utf8) }
        return [0x5B] + bytes(of: frame, at: position.index..<frame.count)
    }

    func bytes(of frame: Span<UInt8>, at range: Range<Int>) -> [UInt8] {
        unsafe frame.withUnsafeBufferPointer { unsafe Array($0[range]) }
    }
}
