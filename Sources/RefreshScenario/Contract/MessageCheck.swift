package import RefreshProtocol

/// Holds messages to the contract.
package struct MessageCheck: Sendable {
    /// What is wrong with a message, and with which.
    package struct Finding: Hashable, Sendable, CustomStringConvertible {
        /// Its `type`, or `event`; nil if it has none.
        package var type: String?
        package var mismatch: SchemaValidator.Mismatch

        package var description: String { "\(type ?? "a message"): \(mismatch)" }
    }

    private let validator: SchemaValidator

    /// The contract with those limits, as strict as that.
    package init(_ style: SchemaStyle = SchemaStyle()) {
        do throws(SchemaValidator.Unusable) {
            validator = try SchemaValidator(Contract.schema(style))
        } catch {
            preconditionFailure("the contract's own schema: \(error.reason)")
        }
    }

    /// What is wrong with the messages of a frame, or of one message, each for itself; empty:
    /// nothing.
    package func findings(inFrame text: String, from speaker: Speaker) -> [Finding] {
        guard let frame = try? JSONValue(parsing: text) else {
            return [Finding(mismatch: .init(path: "", reason: "is no JSON"))]
        }
        guard let batch = frame.array else {
            return finding(in: frame, from: speaker).map { [$0] } ?? []
        }
        guard speaker.mayBatch else {
            return [Finding(mismatch: .init(path: "", reason: "is a batch"))]
        }
        return batch.compactMap { finding(in: $0, from: speaker) }
    }

    /// What is wrong with a message; nil: nothing.
    package func finding(in message: JSONValue, from speaker: Speaker) -> Finding? {
        guard let type = message[speaker.tag]?.string else {
            return Finding(mismatch: .init(path: "/\(speaker.tag)", reason: "is missing"))
        }
        guard let shape = Contract.message(speaker, type) else {
            return Finding(
                type: type,
                mismatch: .init(path: "", reason: "\(speaker.rawValue)s say no such message"))
        }
        return validator.mismatch(in: message, definition: shape.name).map {
            Finding(type: type, mismatch: $0)
        }
    }
}
