import Conformance
import RefreshProtocol
import ScenarioKit

/// The mistake of a server that treats sent items as content that the client has laid out.
extension ServerMistake {
    /// After a page, the server behaves as if the client had reported longer content. The next
    /// scroll sample at the end of the list therefore requests another page.
    ///
    /// The server doubles the client's sequence numbers, so that one number before each is free.
    static let overfetch = ServerMistake(
        "loads a second page without a new layout", in: .loadMore,
        by: "loadMore-31", "loadMore-32",
        sentChange: { message, memory in
            if message.isA("items") { memory.values["page"] = .bool(true) }
            return [
                message.with {
                    $0["ack"] = $0["ack"]?.number.map { .number(($0 / 2).rounded(.down)) }
                }
            ]
        },
        receivedChange: { message, memory in
            if message.isA("attach") { memory.values["content"] = message[at: "geometry.content"] }
            if message.isA("geometry"), let content = message["content"] {
                memory.values["content"] = content
            }
            if message.isA("loadFinished") { memory.values["page"] = .bool(true) }
            guard let seq = message["seq"]?.number else { return [message] }
            let later = message.with { $0["seq"] = .number(2 * seq) }
            guard message.isA("scroll"), let view = message["view"],
                let content = memory.values["content"], memory.values["page"] != nil,
                let height = content["height"]?.number
            else { return [later] }
            memory.values["page"] = nil
            let layout = JSONValue.object([
                .init("type", .string("geometry")), .init("view", view),
                .init("seq", .number(2 * seq - 1)),
                .init("content", content.with { $0["height"] = .number(height + 0.5) }),
            ])
            return [layout, later]
        })
}
