internal import Foundation
internal import RefreshProtocol
internal import RefreshServer
internal import ScenarioKit
internal import SealedSnapshots

extension ConformanceReport {
    /// The exchanges of each case, by the id of the case. The format is deflated JSON (RFC 1951) in
    /// base64, which the script of the HTML report unpacks. Many of the thousands of messages are
    /// similar, so the exchanges are compressed to a tenth of their size.
    var packedExchanges: String {
        // If memory is exhausted, the report has no exchanges, and states that they are missing.
        let packed = Deflate.deflated(Array(exchanges.text.utf8), level: 9) ?? []
        return Data(packed).base64EncodedString()
    }

    /// The exchanges by the id of the case. Each phase has `name` and `said`, an array of `[from,
    /// ms, text]`.
    private var exchanges: JSONValue {
        .object(
            results.compactMap { result in
                let transcripts = result.transcript.filter { !$0.exchanges.isEmpty }
                guard !transcripts.isEmpty else { return nil }
                return .init(result.subject.id, .array(transcripts.map(Self.transcriptJSON)))
            })
    }

    private static func transcriptJSON(_ transcript: CaseResult.PhaseTranscript) -> JSONValue {
        let exchanges = transcript.exchanges.map { exchange in
            JSONValue.array([
                .string("\(exchange.side)"), .number(exchange.afterMs.rounded()),
                .string(exchange.text),
            ])
        }
        return .object([
            .init("name", .string("\(transcript.connection): \(transcript.phase)")),
            .init("said", .array(exchanges)),
        ])
    }
}
