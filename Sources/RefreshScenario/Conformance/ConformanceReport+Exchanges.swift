internal import Foundation
internal import RefreshProtocol
internal import RefreshServer

extension ConformanceReport {
    /// What was said in each case, by its number, as the page unpacks it: JSON, deflated (RFC
    /// 1951), in base64. Thousands of messages, many of them alike, come to a tenth.
    var packedExchanges: String {
        // Without memory there are none, which the page says.
        let packed = Deflate.deflated(Array(exchanges.text.utf8)) ?? []
        return Data(packed).base64EncodedString()
    }

    /// By the number of the case: of each phase `name`, and `said`, an array of
    /// `[from, ms, text]`.
    private var exchanges: JSONValue {
        .object(
            results.compactMap { result in
                let talks = result.talk.filter { !$0.exchanges.isEmpty }
                guard !talks.isEmpty else { return nil }
                return .init(result.subject.id, .array(talks.map(Self.talk)))
            })
    }

    private static func talk(_ talk: CaseResult.Talk) -> JSONValue {
        let said = talk.exchanges.map { exchange in
            JSONValue.array([
                .string("\(exchange.side)"), .number(exchange.afterMs.rounded()),
                .string(exchange.text),
            ])
        }
        return .object([
            .init("name", .string("\(talk.connection): \(talk.phase)")),
            .init("said", .array(said)),
        ])
    }
}
