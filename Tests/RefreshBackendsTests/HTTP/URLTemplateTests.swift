import RefreshBroker
import RefreshProtocol
import Testing

@testable import RefreshBackends

@Suite("URL templates")
struct URLTemplateTests {
    private var request: LoadRequest {
        LoadRequest(
            feed: "h", kind: .more, page: 2, offset: 20, size: 10, cursor: "a/b",
            parameters: [
                LoadParameter(name: "q", value: .text("x y")),
                LoadParameter(name: "r", value: .text("&")),
            ])
    }

    @Test(
        "Each placeholder is replaced by its value, or removed if it has no value",
        arguments: [
            (
                "http://h/p?page={page}&size={size}&offset={offset}",
                "http://h/p?page=2&size=10&offset=20"
            ),
            ("http://h/{cursor}/x?c={cursor}", "http://h/a%2Fb/x?c=a%2Fb"),
            ("https://h:8443/?q={parameter:q}{parameter:r}", "https://h:8443/?q=x%20y%26"),
            ("HTTP://[::1]:9/a%20b?z={parameter:none}", "http://[::1]:9/a%20b?z="),
            ("http://h", "http://h/"), ("http://h?a={page}", "http://h/?a=2"),
            ("http://h/a?b=/../c", "http://h/a?b=/../c"),
        ])
    func expansion(template: String, expected: String) throws {
        let parsed = try URLTemplate(template, parameters: ["q", "r", "none"])
        #expect(parsed.url(for: request) == expected)
    }

    @Test(
        "An invalid or unsafe template is refused",
        arguments: [
            "", "h/p", "ftp://h/", "file:///etc/passwd", "javascript:x", "//h/p", "http://",
            "http:///p", "http://?x", "http://{parameter:q}/", "http://h{page}/",
            "http://h:{page}/",
            "{parameter:q}://h/", "http://user:secret@h/", "http://h/#{page}", "http://h/{",
            "http://h/}", "http://h/{}", "http://h/{Page}", "http://h/{page", "http://h/{page}}",
            "http://h/{{page}}", "http://h/{parameter:}", "http://h/{parameter:other}",
            "http://h/{parameter}", "http://h/{nosuch}", "http://h/a b", "http://h/é",
            "http://h/\n",
            "http://h/a/../b", "http://h/./b", "http://h/%2E%2e/b", "http://h\\@evil/",
            "http://h/a%2F..%5cb", "http://h/a\\..", "http://h/%2{parameter:q}", "http://h/%{page}",
            "http://h/?a=%2{parameter:q}", "http://h/%", "http://h/%4", "http://h/?a=%zz",
        ])
    func refused(template: String) {
        #expect {
            try HTTPBackend(url: template, parameters: ["q"])
        } throws: { error in
            (error as? BackendConfigurationError)?.key == "url"
        }
    }

    @Test(
        "A value that forms a dot segment is refused in the path and accepted in the query",
        arguments: [".", "..", "a/..", "../../admin", "..\\..\\admin", "a/./b", "/.", "a\\../b"])
    func climbing(value: String) throws {
        var request = request
        request.cursor = value
        #expect(try URLTemplate("http://h/a/{cursor}/b", parameters: []).url(for: request) == nil)
        #expect(
            try URLTemplate("http://h/a?c={cursor}", parameters: []).url(for: request)
                == "http://h/a?c=\(PercentEncoding.encoded(value))")
    }

    @Test(
        "Dots within a longer segment, and slashes alone, are accepted in the path",
        arguments: [
            "...", "a..", "..a", ".git", "a/b", "a/..b/c..", "1.5", "/", "", "a//b", "a\\b",
            "%2e%2e",
        ])
    func harmless(value: String) throws {
        var request = request
        request.cursor = value
        #expect(
            try URLTemplate("http://h/a/{cursor}/b", parameters: []).url(for: request)
                == "http://h/a/\(PercentEncoding.encoded(value))/b")
    }

    @Test("A dot segment is refused, even if several values or a value and template text form it")
    func climbingTogether() throws {
        var request = request
        for (template, q, r) in [
            ("{parameter:q}{parameter:r}", ".", "."), ("{parameter:q}{parameter:r}", ".", "./a"),
            ("a%2F{parameter:q}", "..", ""), (".{parameter:q}", ".", ""),
            (".{parameter:q}", "./a", ""),
            ("%2e{parameter:q}", "", ""), ("{parameter:q}%2fx", "..", ""),
        ] {
            request.parameters = [
                LoadParameter(name: "q", value: .text(q)),
                LoadParameter(name: "r", value: .text(r)),
            ]
            let parsed = try? URLTemplate("http://h/\(template)/x", parameters: ["q", "r"])
            #expect(try #require(parsed).url(for: request) == nil, "\(template)")
        }
    }
}
