package import RefreshProtocol

/// Checks messages against the contract.
package struct MessageCheck: Sendable {
    /// A violation in a message, with the type of that message.
    package struct Violation: Hashable, Sendable, CustomStringConvertible {
        /// The `type` or `event` of the message; nil if it has none.
        package var type: String?
        package var mismatch: SchemaValidator.Mismatch

        package var description: String { "\(type ?? "a message"): \(mismatch)" }
    }

    private let validator: SchemaValidator

    /// Creates a check against the contract. `style` determines the limits and the strictness.
    package init(_ style: SchemaStyle = SchemaStyle()) {
        do throws(SchemaValidator.Unusable) {
            validator = try SchemaValidator(Contract.schema(style))
        } catch {
            preconditionFailure("the contract's own schema: \(error.reason)")
        }
    }

    /// Returns the violations in a frame, at most one for each of its messages.
    package func violations(inFrame text: String, from sender: Speaker) -> [Violation] {
        guard let frame = try? JSONValue(parsing: text) else {
            return [Violation(mismatch: .init(path: "", reason: "is not valid JSON"))]
        }
        guard let batch = frame.array else {
            return violation(in: frame, from: sender).map { [$0] } ?? []
        }
        guard sender.mayBatch else {
            return [Violation(mismatch: .init(path: "", reason: "must not be a batch"))]
        }
        return batch.compactMap { violation(in: $0, from: sender) }
    }

    /// Returns the first violation in a message; nil if there is none.
    package func violation(in message: JSONValue, from sender: Speaker) -> Violation? {
        guard let type = message[sender.tag]?.string else {
            return Violation(mismatch: .init(path: "/\(sender.tag)", reason: "is missing"))
        }
        guard let shape = Contract.message(sender, type) else {
            return Violation(
                type: type,
                mismatch: .init(
                    path: "", reason: "the \(sender.rawValue) sends no message of this type"))
        }
        return validator.mismatch(in: message, definition: shape.name).map {
            Violation(type: type, mismatch: $0)
        }
    }
}
