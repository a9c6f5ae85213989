package import RefreshProtocol

/// What a scripted backend does in one call. Source: docs/backends.md, "script".
package struct ScriptStep: Hashable, Sendable {
    /// How a call ends.
    package enum End: Hashable, Sendable {
        /// The call returns a page. `items` is a JSON array. The other values are the fields of the
        /// answer with the same names.
        case answer(
            items: [UInt8], more: Bool? = nil, next: String? = nil, total: Int? = nil,
            maxAgeMs: Int? = nil)
        /// The call returns the requested page of a list with this many items, 0...1,000,000.
        case generate(Int)
        /// The call fails with one of the `backend…` codes.
        case fail(FaultCode, retryAfterMs: Int? = nil)
        /// The call returns these bytes, which are parsed as an answer.
        case raw([UInt8])
        /// The call ends only by cancellation.
        case hang
    }

    /// The duration of the call in milliseconds, 0...3,600,000.
    package var afterMs: Int
    package var end: End
    /// The progress values to report, each 0...1, spread evenly over `afterMs`.
    package var progress: [Double]

    package init(_ end: End, afterMs: Int = 0, progress: [Double] = []) {
        self.end = end
        self.afterMs = afterMs
        self.progress = progress
    }

    /// The longest pause before a retry that a failure can request: one day, in milliseconds.
    package static let retryAfterMsMax = 86_400_000

    /// Checks that all values are in range. An error contains the configuration key.
    package func check() throws(BackendConfigurationError) {
        guard 0...3_600_000 ~= afterMs else {
            throw BackendConfigurationError("afterMs", "It must be 0 to 3600000.")
        }
        guard progress.count <= 1000, progress.allSatisfy({ 0...1 ~= $0 }) else {
            throw BackendConfigurationError(
                "progress", "It must be a list of at most 1000 numbers from 0 to 1.")
        }
        switch end {
        case .answer(let items, _, let next, let total, let maxAgeMs):
            try Self.check(items)
            guard (next?.utf8.count ?? 0) <= PageReader.cursorBytesMax else {
                throw BackendConfigurationError(
                    "next", "It must have at most \(PageReader.cursorBytesMax) bytes.")
            }
            try Self.check("total", total, 0...PageReader.naturalMax)
            try Self.check("maxAgeMs", maxAgeMs, 0...PageReader.naturalMax)
        case .generate(let count):
            guard 0...1_000_000 ~= count else {
                throw BackendConfigurationError("generate", "It must be 0 to 1000000.")
            }
        case .fail(let code, let retryAfterMs):
            guard code.rawValue.hasPrefix("backend") else {
                throw BackendConfigurationError("fail", "It must be a fault code of a backend.")
            }
            try Self.check("retryAfterMs", retryAfterMs, 0...Self.retryAfterMsMax)
        case .raw, .hang:
            break
        }
    }

    private static func check(_ items: [UInt8]) throws(BackendConfigurationError) {
        do throws(AnswerFault) {
            let answer = try PageReader.read(items)
            guard answer.items == items.indices else { throw AnswerFault(.noItems, at: 0) }
        } catch {
            throw BackendConfigurationError(
                "items", "It must be a list, but it is \(error.message).")
        }
    }

    private static func check(
        _ key: String, _ number: Int?, _ range: ClosedRange<Int>
    ) throws(BackendConfigurationError) {
        guard range ~= number ?? 0 else {
            throw BackendConfigurationError(
                key, "It must be \(range.lowerBound) to \(range.upperBound).")
        }
    }
}
