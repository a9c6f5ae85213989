import RefreshBroker
import RefreshProtocol

/// A call in which every part has a distinct value, and the form in which `echo` returns the parts.
enum EchoedRequest {
    /// A hostile value for SQL, shells, URLs and templates.
    static let injection = #"x' OR '1'='1"; DROP TABLE t; -- &size=9#/../$(id)`id`{page}é"#

    static func call(cursor: String) -> BackendCall {
        let request = LoadRequest(
            feed: "feed", kind: .more, trigger: .reachAtEnd, page: 3, offset: 40, size: 20,
            cursor: cursor,
            parameters: [
                LoadParameter(name: "q", value: .text(injection)),
                LoadParameter(name: "year", value: .integer(-1984)),
                LoadParameter(name: "price", value: .number(12.5)),
                LoadParameter(name: "sold", value: .boolean(true)),
            ],
            headers: [HeaderField(name: "x-tenant", value: "acme")], subject: "anna; --")
        return BackendCall(request, idempotencyKey: "9f2c-1.3", attempt: 2)
    }

    static let parameters: [FeedParameter] = [
        FeedParameter("q", .text), FeedParameter("year", .integer),
        FeedParameter("price", .number), FeedParameter("sold", .boolean),
    ]

    /// Returns all parts by name. Headers and parameters have names such as `headers.x-tenant` and
    /// `parameters.q`.
    static func texts(of call: BackendCall) -> [String: String] {
        let request = call.request
        var texts = [
            "feed": request.feed, "kind": request.kind.rawValue,
            "trigger": request.trigger.rawValue, "page": "\(request.page)",
            "offset": "\(request.offset)", "size": "\(request.size)",
            "cursor": request.cursor ?? "", "subject": request.subject ?? "",
            "key": call.idempotencyKey, "attempt": "\(call.attempt)",
        ]
        for parameter in request.parameters {
            texts["parameters." + parameter.name] = parameter.value.text
        }
        for header in request.headers { texts["headers." + header.name] = header.value }
        return texts
    }

    /// Returns the scalars of an item, by the names on their paths.
    static func flattened(_ value: JSONValue, _ prefix: String = "") -> [String: String] {
        guard case .object(let members) = value else { return [prefix: text(of: value)] }
        return members.reduce(into: [:]) { texts, member in
            let name = prefix.isEmpty ? member.name : "\(prefix).\(member.name)"
            texts.merge(flattened(member.value, name)) { first, _ in first }
        }
    }

    private static func text(of value: JSONValue) -> String {
        switch value {
        case .string(let text): text
        case .number(let number): ParameterValue.number(number).text
        case .bool(let flag): flag ? "true" : "false"
        case .null: "null"
        case .array, .object: "\(value)"
        }
    }
}
