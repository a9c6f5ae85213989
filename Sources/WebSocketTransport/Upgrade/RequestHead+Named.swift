import CLWS

// Headers whose names are known only at run time.
extension RequestHead {
    /// Returns the request's headers whose names are in `names`. The names are in lower case. The
    /// result has no empty headers, because libwebsockets does not keep them.
    static func headers(
        _ names: [String], of wsi: OpaquePointer
    ) -> [UpgradeRequest.Header] {
        names.compactMap { name in
            let value =
                if let token = token(named: name) {
                    unsafe header(token, of: wsi)
                } else {
                    unsafe customHeader(named: name + ":", of: wsi)
                }
            return value.map { UpgradeRequest.Header(name: name, value: $0) }
        }
    }

    /// Returns libwebsockets' token for a header that it knows. Such a header cannot be looked up
    /// by name.
    private static func token(named name: String) -> lws_token_indexes? {
        let expected = Array((name + ":").utf8)
        for number in 0..<WSI_TOKEN_COUNT.rawValue {
            let token = lws_token_indexes(rawValue: number)
            guard let text = unsafe lws_token_to_string(token) else { continue }
            var length = 0
            while length < expected.count, unsafe text[length] == expected[length] { length += 1 }
            if length == expected.count, unsafe text[length] == 0 { return token }
        }
        return nil
    }

    private static func customHeader(named name: String, of wsi: OpaquePointer) -> String? {
        var name = name
        return name.withUTF8 { name in
            unsafe name.withMemoryRebound(to: CChar.self) { unsafe header(named: $0, of: wsi) }
        }
    }
}
