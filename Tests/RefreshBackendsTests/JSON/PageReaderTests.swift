import Foundation
import RefreshProtocol
import Testing

@testable import RefreshBackends

@Suite("The page reader")
struct PageReaderTests {
    private func read(_ text: String) throws(AnswerFault) -> PageReader.Answer {
        try PageReader.read(Array(text.utf8))
    }

    private func reason(_ text: String) -> AnswerFault.Reason? { reason(Array(text.utf8)) }

    private func reason(_ bytes: [UInt8]) -> AnswerFault.Reason? {
        do throws(AnswerFault) {
            _ = try PageReader.read(bytes)
            return nil
        } catch {
            return error.reason
        }
    }

    @Test("If the answer is an array, its elements are the items")
    func bare() throws {
        let answer = try read(" [1, {\"a\":[2]} ,\"x\"] \n")
        #expect(answer == PageReader.Answer(items: 1..<20, count: 3))
    }

    @Test("An envelope's items, more, next and total are read, and unknown fields are ignored")
    func envelope() throws {
        let text =
            #"{"x":{"items":[0]},"total":7,"items":[ 1.0 , "\u00e9" ],"more":true,"next":"a\"b"}"#
        let answer = try read(text)
        #expect(
            String(decoding: Array(text.utf8)[answer.items], as: UTF8.self)
                == #"[ 1.0 , "\u00e9" ]"#)
        #expect(answer.count == 2)
        #expect(answer.more == true)
        #expect(answer.next == .cursor("a\"b"))
        #expect(answer.total == 7)
    }

    @Test("The range of each element is returned on request")
    func elements() throws {
        let bytes = Array(#"{"items": [ {"a":1} , [] ,3]}"#.utf8)
        let answer = try PageReader.read(bytes, keepingElements: true)
        let elements = answer.elements.map { String(decoding: bytes[$0], as: UTF8.self) }
        #expect(elements == [#"{"a":1}"#, "[]", "3"])
    }

    @Test("A field with null counts as absent, but a null or empty `next` means the last page")
    func nulls() throws {
        let answer = try read(#"{"items":[],"more":null,"next":null,"total":null}"#)
        #expect(answer == PageReader.Answer(items: 9..<11, count: 0, next: .none))
        #expect(try read(#"{"items":[],"next":""}"#).next == PageReader.Next.none)
    }

    @Test("A field name may be written with escapes")
    func escapedKey() throws {
        #expect(try read(#"{"\u0069tems":[1]}"#).count == 1)
    }

    @Test(
        "A text that is not JSON is refused",
        arguments: [
            "", " ", "[", "]", "[1", "[1,]", "[,1]", "[1 2]", "[1]]", "[1]x", "{", "{}x", "{\"a\"}",
            "{\"a\":}", "{\"a\":1,}", "{,}", "{a:1}", "{'a':1}", "[01]", "[-]", "[1.]", "[.5]",
            "[1e]",
            "[+1]", "[1e+]", "[0x1]", "[NaN]", "[Infinity]", "[tru]", "[nul]", "[True]", "[\"a]",
            "[\"\\x\"]", "[\"\\u12g4\"]", "[\"\\u12\"]", "[\"\t\"]", "[\"\n\"]", "[\u{feff}1]",
            "\u{feff}[1]", "[\"\\ud800\"]", "[\"\\udc00\"]", "[\"\\ud800\\u0041\"]", "[1}",
            "{\"a\":1]",
            "{\"items\":[1],\"b\":2", "[[[]]", "// x\n[1]", "[1,/**/2]",
        ])
    func malformed(text: String) {
        #expect(reason(text) == .malformed)
    }

    @Test(
        "Bytes that are not UTF-8 are refused",
        arguments: [
            [0x80], [0xC0, 0x80], [0xC1, 0xBF], [0xE0, 0x9F, 0xBF], [0xED, 0xA0, 0x80],
            [0xF0, 0x8F, 0xBF, 0xBF], [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xFF],
            [0xE2, 0x82], [0xF0, 0x9F, 0x98], [0xC3], [0xE2, 0x28, 0xA1],
        ] as [[UInt8]])
    func notUTF8(bytes: [UInt8]) {
        #expect(reason(Array("[\"".utf8) + bytes + Array("\"]".utf8)) == .malformed)
        #expect(reason(Array("[\"".utf8) + bytes) == .malformed)
    }

    @Test("In arrays, objects and envelopes, a depth of 64 is accepted and 65 is refused")
    func depth() throws {
        func nested(_ depth: Int) -> String {
            String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        #expect(try read(nested(64)).count == 1)
        #expect(reason(nested(65)) == .tooDeep)
        #expect(reason(String(repeating: "[", count: 100_000)) == .tooDeep)
        #expect(try read("{\"items\":\(nested(63))}").count == 1)
        #expect(reason("{\"items\":\(nested(64))}") == .tooDeep)
        let objects =
            String(repeating: "{\"a\":", count: 63) + "1" + String(repeating: "}", count: 63)
        #expect(try read("[\(objects)]").count == 1)
        #expect(reason("[{\"a\":\(objects)}]") == .tooDeep)
    }

    @Test("A number that is too large for a double is refused")
    func range() throws {
        #expect(reason("[1e999]") == .numberOutOfRange)
        #expect(reason("[\(String(repeating: "9", count: 400))]") == .numberOutOfRange)
        #expect(try read("[1e308,1e-999,\(String(repeating: "9", count: 300))]").count == 3)
    }

    @Test("A total of 2^53 - 1 is accepted")
    func largestTotal() throws {
        let answer = try read(#"{"items":[],"total":9007199254740991,"maxAgeMs":9007199254740991}"#)
        #expect(answer.total == 9_007_199_254_740_991)
    }

    @Test(
        "An envelope with a missing, wrong or duplicate field is refused with the reason",
        arguments: [
            ("{}", .noItems), ("1", .noItems), ("null", .noItems), ("\"items\"", .noItems),
            ("{\"item\":[]}", .noItems), ("{\"items\":{}}", .field("items")),
            ("{\"items\":null}", .field("items")), ("{\"items\":[],\"items\":[]}", .field("items")),
            ("{\"items\":[],\"more\":1}", .field("more")),
            ("{\"items\":[],\"next\":5}", .field("next")),
            ("{\"items\":[],\"total\":-1}", .field("total")),
            ("{\"items\":[],\"total\":1.5}", .field("total")),
            ("{\"items\":[],\"total\":\"1\"}", .field("total")),
            ("{\"items\":[],\"total\":99999999999999999999}", .field("total")),
            ("{\"items\":[],\"total\":9007199254740992}", .field("total")),
            ("{\"items\":[],\"maxAgeMs\":9007199254740992}", .field("maxAgeMs")),
            ("{\"items\":[],\"next\":null,\"next\":\"a\"}", .field("next")),
        ] as [(String, AnswerFault.Reason)])
    func wrongEnvelope(text: String, expected: AnswerFault.Reason) {
        #expect(reason(text) == expected)
    }

    @Test("A cursor in `next` that is longer than 4,096 bytes is refused")
    func longCursor() throws {
        let cursor = String(repeating: "c", count: 4094)
        #expect(try read("{\"items\":[],\"next\":\"\(cursor)\"}").next == .cursor(cursor))
        #expect(reason("{\"items\":[],\"next\":\"\(cursor)c\"}") == .field("next"))
    }

    @Test("A string that is written as JSON is read as the same string")
    func strings() throws {
        let text = "a\"\\/\u{0}\u{1f}\n\r\té😀\u{2028}"
        var json = ByteBuffer()
        json.append(literal: #"{"items":[],"next":"#)
        json.appendQuoted(text)
        json.append(literal: "}")
        #expect(try PageReader.read(json.bytes).next == .cursor(text))
        #expect(
            try read(##"{"items":[],"next":"\b\f\n\r\t\"\\\/\u0041\ud83d\ude00x"}"##).next
                == .cursor("\u{8}\u{c}\n\r\t\"\\/A😀x"))
    }

    @Test("A fault contains the byte offset of the error")
    func places() {
        func offset(_ text: String) -> Int? {
            do throws(AnswerFault) {
                _ = try read(text)
                return nil
            } catch {
                return error.offset
            }
        }
        #expect(offset("[1 2]") == 3)
        #expect(offset("[\"aaaa\u{1}\"]") == 6)
        #expect(offset("[\"abcdefghijkl\u{1}\"]") == 14)
        #expect(offset("[\"abc") == 5)
        #expect(offset("[1]x") == 3)
        #expect(offset("[1,") == 3)
        #expect(offset("[1, nul]") == 4)
        #expect(offset("[1, 1e999]") == 4)
        #expect(offset("{\"items\":[], \"more\":1}") == 13)
        #expect(offset(String(repeating: "[", count: 70)) == 64)
    }
}
