internal import RefreshProtocol
internal import RefreshSession

/// The request to the external authentication service. Source: docs/configuration.md, "auth".
enum AuthHookQuestion {
    /// Returns the request's body, a JSON object. A member whose value is unknown is left out.
    static func json(of authenticationRequest: AuthenticationRequest) -> [UInt8] {
        let members = [
            ("token", authenticationRequest.token), ("client", authenticationRequest.client),
            ("peer", authenticationRequest.arrival.peer),
            ("origin", authenticationRequest.arrival.origin),
        ]
        var json = ByteBuffer()
        json.append(literal: "{")
        var isFirst = true
        for case (let name, let value?) in members {
            if !isFirst { json.append(literal: ",") }
            isFirst = false
            append(name, value, to: &json)
        }
        let headers = joiningRepeatedNames(authenticationRequest.arrival.headers)
        if !headers.isEmpty {
            if !isFirst { json.append(literal: ",") }
            json.appendQuoted(literal: "headers")
            json.append(literal: ":{")
            for (index, header) in headers.enumerated() {
                if index > 0 { json.append(literal: ",") }
                append(header.name, header.value, to: &json)
            }
            json.append(literal: "}")
        }
        json.append(literal: "}")
        return json.bytes
    }

    private static func append(_ name: String, _ value: String, to json: inout ByteBuffer) {
        json.appendQuoted(name)
        json.append(literal: ":")
        json.appendQuoted(value)
    }

    /// Returns the headers with each name once. Values of a repeated name are joined into one list,
    /// as in RFC 9110, 5.3.
    private static func joiningRepeatedNames(_ headers: [HeaderField]) -> [HeaderField] {
        var lists: [HeaderField] = []
        for header in headers {
            if let known = lists.firstIndex(where: { $0.name == header.name }) {
                lists[known].value += ", " + header.value
            } else {
                lists.append(header)
            }
        }
        return lists
    }
}
