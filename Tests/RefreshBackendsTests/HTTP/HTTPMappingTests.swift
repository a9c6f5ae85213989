import Foundation
import RefreshBroker
import RefreshProtocol
import Testing
import Workbench

@testable import RefreshBackends

@Suite("The places of values in http answers")
struct HTTPMappingTests {
    private let request = LoadRequest(feed: "h", kind: .more, page: 2, offset: 20, size: 20)

    private func pointer(_ text: String) throws -> JSONPointer {
        try #require(JSONPointer(text))
    }

    /// Returns the page of an answer with this body and these headers.
    private func page(
        _ body: String, headers: String = "", _ change: (inout HTTPOptions) -> Void
    ) throws -> Page {
        var options = HTTPOptions()
        change(&options)
        var answer = HTTPAnswer(status: 200, body: Array(body.utf8))
        for line in ["HTTP/1.1 200 OK"] + headers.split(separator: "\n").map(String.init) + [""] {
            try answer.fields.handleLine(Array("\(line)\r\n".utf8))
        }
        return try HTTPPageReader(options).page(of: answer).page
    }

    @Test("Pointers lead to items, more, next and total, and items are returned byte for byte")
    func pointers() throws {
        let items = try pointer("/data/0/rows")
        let more = try pointer("/meta/has~1more")
        let next = try pointer("/meta/page/~0next")
        let total = try pointer("/meta/n")
        let page = try page(
            #"{"meta":{"n":45,"has/more":true,"page":{"~next":"c2"}},"x":[1],"#
                + #""data":[{"rows":[ {"a":1.0} ,2]},{"rows":[3]}]}"#
        ) {
            ($0.items, $0.more, $0.next, $0.total) = (items, more, .pointer(next), total)
        }
        #expect(
            page
                == Page(
                    items: Array(#"[ {"a":1.0} ,2]"#.utf8), count: 2, more: true, cursor: "c2",
                    total: 45))
    }

    @Test("Pointers to more, next and total may lead to nothing, but the pointer to items may not")
    func nowhere() throws {
        let pointer = try pointer("/a/b")
        let page = try page(#"{"items":[1],"a":7}"#) {
            ($0.more, $0.next, $0.total) = (pointer, .pointer(pointer), pointer)
        }
        #expect(page == Page(items: Array("[1]".utf8), count: 1))
        for body in [#"{"items":[1]}"#, "[1]", #"{"a":[]}"#, #"{"a":{"b":{}}}"#, #"{"a":{"b":3}}"#]
        {
            #expect { try self.page(body) { $0.items = pointer } } throws: { error in
                (error as? LoadFailure)?.code == .backendAnswerMalformed
            }
        }
    }

    @Test("The items may be the whole answer, and the cursor may be inside an item")
    func inside() throws {
        let whole = try pointer("")
        let last = try pointer("/1/id")
        let page = try page(#"[{"id":1},{"id":17}]"#) {
            ($0.items, $0.next) = (whole, .pointer(last))
        }
        #expect(page.cursor == "17")
        #expect((page.count, page.more) == (2, true))
    }

    @Test(
        "`next` may lead to a text, a number or null, and a number's text is the cursor",
        arguments: [
            ("\"c\"", "c", true), ("7", "7", true), ("-1.50e3", "-1.50e3", true),
            ("9007199254740993", "9007199254740993", true), ("null", nil, false),
            ("\"\"", nil, false),
        ] as [(String, String?, Bool)])
    func next(text: String, cursor: String?, more: Bool) throws {
        let page = try page(#"{"items":[],"next":\#(text)}"#) { _ in }
        #expect((page.cursor, page.more) == (cursor, more))
    }

    @Test(
        "Wrong types at the pointers, and duplicate names on their paths, are refused",
        arguments: [
            #"{"m":{"next":true},"items":[]}"#, #"{"m":{"next":[]},"items":[]}"#,
            #"{"m":{"next":{}},"items":[]}"#, #"{"m":{"more":1},"items":[]}"#,
            #"{"m":{"more":"true"},"items":[]}"#, #"{"total":"5","items":[]}"#,
            #"{"total":-1,"items":[]}"#, #"{"m":{},"m":{},"items":[]}"#,
            #"{"m":{"next":"a","next":"b"},"items":[]}"#, #"{"items":[],"items":[]}"#,
            #"{"m":{"next":"a","n\u0065xt":"b"},"items":[]}"#, #"{"maxAgeMs":1.5,"items":[]}"#,
        ])
    func refused(body: String) throws {
        let next = try pointer("/m/next")
        let more = try pointer("/m/more")
        #expect {
            try page(body) { ($0.next, $0.more) = (.pointer(next), more) }
        } throws: { error in
            (error as? LoadFailure)?.code == .backendAnswerMalformed
        }
    }

    @Test("If a pointer leads to a value that is nested too deeply, the answer is refused")
    func deep() throws {
        let deep = try pointer(String(repeating: "/a", count: 100))
        let body =
            String(repeating: #"{"a":"#, count: 100) + "[]" + String(repeating: "}", count: 100)
        #expect {
            try page(body) { $0.items = deep }
        } throws: { error in
            (error as? LoadFailure)?.message.contains("deeper") == true
        }
    }

    @Test(
        "The cursor is the query parameter of the next page's URL that `nextParameter` names",
        arguments: [
            ("http://h/x?after=a%20b%2B1+c&page=2#after=no", "a b+1 c"), ("?after=7", "7"),
            ("/x?page=1&%61fter=%C3%A9", "é"), ("/x?after=", nil), ("/x?after", nil),
            ("/x?after=%zz", "%zz"), ("/x?after=a&after=b", "a"),
        ] as [(String, String?)])
    func nextParameter(url: String, cursor: String?) throws {
        let page = try page(#"{"items":[],"next":"\#(url)"}"#) { $0.nextParameter = "after" }
        #expect((page.cursor, page.more) == (cursor, cursor != nil))
    }

    @Test(
        "An answer is malformed if its URL lacks `nextParameter` or contains an invalid cursor",
        arguments: [
            "http://h/x", "http://h/x?page=2", "/x?after=%FF", "after=3", "7",
            "/x?after=\(String(repeating: "a", count: 4097))",
        ])
    func nextParameterMissing(url: String) {
        #expect {
            try page(#"{"items":[],"next":"\#(url)"}"#) { $0.nextParameter = "after" }
        } throws: { error in
            (error as? LoadFailure)?.code == .backendAnswerMalformed
        }
    }

    @Test(
        "With `next: link`, the target of rel=next in Link is the cursor, as in RFC 8288",
        arguments: [
            ("Link: </x?page=2>; rel=\"next\"", "/x?page=2"),
            ("Link: </x?page=1>; rel=prev, </x?page=3>; rel=next", "/x?page=3"),
            ("LINK: </a>; rel=\"last\"\nlink:</b>;REL=\"prefetch NEXT\"", "/b"),
            ("Link: </x,y;z>; title=\"a, b; rel=next\"; rel=\"next\"", "/x,y;z"),
            ("Link: </x>; title=\"\\\"\"; rel=next", "/x"),
            ("Link: </x>; rel=next; rel=prev", "/x"), ("Link: </x>; rel=prev; rel=next", nil),
            ("Link: </x>; rel=next; anchor=\"#a\"", nil), ("Link: /x; rel=next", nil),
            ("Link: <>; rel=next", nil), ("Link: </x>", nil), ("Link: </x>; rel", nil),
            ("Link: </x; rel=next", nil), ("Link: </x>; title=\"; rel=next", nil), ("", nil),
            ("Link: ,,;;<<>>\"", nil),
        ] as [(String, String?)])
    func link(header: String, cursor: String?) throws {
        let page = try page(#"{"items":[],"next":"body"}"#, headers: header) { $0.next = .link }
        #expect((page.cursor, page.more) == (cursor, cursor != nil))
    }

    @Test("`next: link` can be combined with `nextParameter` (as for GitHub) or `more` in the body")
    func linkParameter() throws {
        let header =
            "Link: <https://api.example/r/1?per_page=5&page=2>; rel=\"next\", "
            + "<https://api.example/r/1?per_page=5&page=9>; rel=\"last\""
        let next = try page("[1,2]", headers: header) {
            ($0.next, $0.nextParameter) = (.link, "page")
        }
        #expect((next.cursor, next.more, next.count) == ("2", true, 2))
        let last = try page(#"{"items":[1],"more":true}"#) { $0.next = .link }
        #expect((last.cursor, last.more) == (nil, true))
    }

    @Test("6,000 mutated headers and URLs yield valid values or none")
    func mutated() async {
        var generator = SeededGenerator(seed: 5)
        let seeds = [
            "</x?page=2>; rel=\"next\"; title=\"a\\\"b\", <y>;rel=prev", "max-age=60, no-store",
            "/x?a=%41&b=+#c",
        ]
        for number in 0..<6_000 {
            if number % 500 == 0 { await Task.yield() }
            var bytes = Array(seeds[number % 3].utf8)
            for _ in 0..<Int.random(in: 1...6, using: &generator) {
                let index = Int.random(in: 0..<bytes.count, using: &generator)
                bytes[index] =
                    Bool.random(using: &generator)
                    ? UInt8.random(in: 0...255, using: &generator)
                    : Array("<>\",;=\\%?& ".utf8)[Int.random(in: 0..<11, using: &generator)]
            }
            let text = String(decoding: bytes, as: UTF8.self)
            if let target = LinkHeader.next(in: [text]), !text.contains(target) {
                Issue.record("seed 5, number \(number): \(target)")
            }
            if let lifetime = CacheControl.lifetimeMs([text]), !(0...86_400_000 ~= lifetime) {
                Issue.record("seed 5, number \(number): \(lifetime)")
            }
            _ = QueryValue.named("a", in: text)
        }
    }
}
