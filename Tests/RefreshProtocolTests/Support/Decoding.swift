import RefreshProtocol

/// The outcome of one object of a frame, as a value that can be compared.
enum Outcome: Hashable, Sendable {
    case message(ClientMessage)
    case fault(Fault)

    var message: ClientMessage? {
        guard case .message(let message) = self else { return nil }
        return message
    }

    var fault: Fault? {
        guard case .fault(let fault) = self else { return nil }
        return fault
    }

    /// Nil at the end of the frame.
    init?(_ decoded: DecodedMessage) {
        switch decoded {
        case .end: return nil
        case .message(let message): self = .message(message)
        case .fault(let fault): self = .fault(fault)
        }
    }
}

extension Outcome {
    /// The outcome without escapes in the operation of an edit, which is kept as it was sent.
    var withPlainOperation: Outcome {
        guard case .message(.edit(let header, var edit)) = self,
            let operation = try? JSONValue(parsing: String(decoding: edit.operation, as: UTF8.self))
        else { return self }
        edit.operation = Array(operation.text.utf8)
        return .message(.edit(header, edit))
    }
}

extension MessageDecoder {
    /// Returns all outcomes of a frame, in order.
    mutating func outcomes(of frame: [UInt8]) -> [Outcome] {
        var outcomes: [Outcome] = []
        var position = FramePosition()
        while let outcome = Outcome(next(in: frame.span, at: &position)) {
            outcomes.append(outcome)
        }
        return outcomes
    }
}

/// Returns all outcomes of a frame in a new decoder. The client has every feature, unless
/// `features` states others.
func decode(
    _ wire: String, limits: Limits = Limits(), features: ClientFeatures? = .all
) -> [Outcome] {
    var decoder = MessageDecoder(limits: limits, features: features)
    return decoder.outcomes(of: Array(wire.utf8))
}

func decode(_ value: JSONValue, limits: Limits = Limits()) -> [Outcome] {
    decode(value.text, limits: limits)
}
