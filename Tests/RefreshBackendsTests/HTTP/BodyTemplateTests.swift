import Foundation
import RefreshBroker
import RefreshProtocol
import Testing

@testable import RefreshBackends

@Suite("Body templates of the http backend")
struct BodyTemplateTests {
    private var request: LoadRequest {
        LoadRequest(
            feed: "h", kind: .more, trigger: .reachAtEnd, page: 2, offset: 20, size: 10,
            cursor: "a\"b",
            parameters: [
                LoadParameter(name: "q", value: .text("x")),
                LoadParameter(name: "year", value: .integer(-7)),
                LoadParameter(name: "price", value: .number(1.5)),
                LoadParameter(name: "sold", value: .boolean(true)),
            ], subject: "ann")
    }

    private static let names = ["q", "year", "price", "sold", "none"]

    private func body(_ template: String, _ request: LoadRequest? = nil) throws -> String {
        let body = try BodyTemplate(Array(template.utf8), parameters: Self.names)
        return String(decoding: body.bytes(for: request ?? self.request), as: UTF8.self)
    }

    @Test("A string that is only a placeholder becomes the typed value, or null without a value")
    func types() throws {
        let template = #"""
            {"page":"{page}","size":"{size}","offset":"{offset}","cursor":"{cursor}",
            "kind":"{kind}","subject":"{subject}","q":"{parameter:q}",
            "year":"{parameter:year}","price":"{parameter:price}","sold":"{parameter:sold}",
            "none":"{parameter:none}"}
            """#
        #expect(
            try body(template)
                == #"{"page":2,"size":10,"offset":20,"cursor":"a\"b","kind":"more","#
                + #""subject":"ann","q":"x","year":-7,"price":1.5,"#
                + #""sold":true,"none":null}"#)
        var bare = request
        bare.cursor = nil
        bare.subject = nil
        #expect(try body(#"["{cursor}","{subject}"]"#, bare) == "[null,null]")
    }

    @Test("In a longer string, the value's text is inserted, or nothing if there is no value")
    func texts() throws {
        #expect(
            try body(
                #"["p{page}","{parameter:year}{parameter:sold}"," {cursor}","{parameter:none}-"]"#)
                == #"["p2","-7true"," a\"b","-"]"#)
    }

    @Test("Text without placeholders is sent unchanged, and doubled braces become single braces")
    func plain() throws {
        #expect(
            try body(
                #"{"a":[1,2.5,true,null,"","é\n",{}],"q":"query {{ orders(n:{size}) {{ id }}}}"}"#)
                == #"{"a":[1,2.5,true,null,"","é\n",{}],"q":"query { orders(n:10) { id }}"}"#)
        #expect(try body("\"{page}\"") == "2")
        #expect(try body("{}") == "{}")
    }

    @Test(
        "A template with invalid placeholders is refused",
        arguments: [
            #""{""#, #""}""#, #""{}""#, #""{Page}""#, #""{parameter:other}""#, #""{page""#,
            #"{"{page}":1}"#, #"{"a}":1}"#, #"["{nosuch}"]"#, #""{{page}""#, #""{page}}""#,
        ])
    func refused(template: String) throws {
        #expect {
            try BodyTemplate(Array(template.utf8), parameters: Self.names)
        } throws: { error in
            (error as? BackendConfigurationError)?.key == "body"
        }
    }

    @Test("A template that is not JSON or is nested too deeply is refused")
    func odd() throws {
        let deep = String(repeating: "[", count: 64) + String(repeating: "]", count: 64)
        #expect(try body(deep) == deep)
        for text in ["[\(deep)]", "1e999", "NaN", "", "{", "[1,]", "{\"a\" 1}", "1 2", "01"] {
            #expect(throws: BackendConfigurationError.self) {
                try BodyTemplate(Array(text.utf8), parameters: [])
            }
        }
    }

    @Test(
        "A number is sent with its original digits, even if a double cannot represent the number",
        arguments: [
            "9007199254740993", "-18446744073709551617", "1.50", "0.10", "1e2", "1E+2", "-0",
            "123456789.123456789123456789", "1e-400",
        ])
    func numbers(number: String) throws {
        #expect(try body(number) == number)
        #expect(
            try body("{ \"n\" : [ \(number) , \"{page}\" ] }") == "{\"n\":[\(number),2]}")
    }

    @Test("A hostile client value stays a JSON string at the place of its placeholder")
    func injection() throws {
        for value in InjectionStrings.all {
            var request = request
            request.cursor = value
            request.subject = value
            request.parameters = [LoadParameter(name: "q", value: .text(value))]
            let text = try body(
                #"{"a":"{parameter:q}","b":"<{parameter:q}|{cursor}>","c":"{subject}","d":1}"#,
                request)
            let read = try JSONValue(parsing: text)
            let expected = JSONValue.object([
                .init("a", .string(value)), .init("b", .string("<\(value)|\(value)>")),
                .init("c", .string(value)), .init("d", .number(1)),
            ])
            #expect(read.text.utf8.elementsEqual(expected.text.utf8))
        }
    }
}
