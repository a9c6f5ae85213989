import RefreshProtocol
import Testing

@Suite struct IdentifierTests {
    @Test(
        "A view's name of 1 to 32 bytes is accepted, and its identifier gives the same name",
        arguments: [
            "a", "list", "eight by", "sixteen bytes ok", "seventeen bytes..",
            String(repeating: "x", count: 31), String(repeating: "x", count: 32), "é", "日本語",
            "0123456 日 over a word", String(repeating: "日", count: 10) + "é",
            String(repeating: "😀", count: 8), " ", "\"\\/", "~", "\u{A0}", "\u{C0}", "\u{2028}",
            "\u{10FFFF}", "À\u{301}",
        ])
    func viewNames(_ name: String) throws {
        let id = try #require(ViewID(name))
        #expect(id.description.utf8.elementsEqual(name.utf8))
        let padded = Array("<\(name)>".utf8)
        let same = try #require(Self.viewID(padded, in: 1..<padded.count - 1))
        #expect(same == id && same.hashValue == id.hashValue)
        #expect(ViewID(Substring(name)) == id)
        var bytes: [UInt8] = []
        id.forEachByte { bytes.append($0) }
        #expect(bytes == Array(name.utf8))
    }

    @Test(
        "A name that is empty, too long or contains a control character is refused",
        arguments: [
            "", String(repeating: "x", count: 33), String(repeating: "日", count: 11),
            String(repeating: "x", count: 31) + "é", "\u{0}", "a\u{0}", "a\nb", "\u{1F}", "\u{7F}",
            "a\u{80}", "\u{85}b", "\u{9F}", String(repeating: "x", count: 10_000),
        ])
    func noViewNames(_ name: String) {
        #expect(ViewID(name) == nil)
        let bytes = Array(name.utf8)
        #expect(Self.viewID(bytes, in: 0..<bytes.count) == nil)
        let wire = JSONValue.object([
            .init("type", .string("detach")), .init("seq", .number(1)),
            .init("view", .string(name)),
        ])
        let code = name.utf8.count > Limits().stringBytesMax ? nil : Field.view
        for text in [wire.text, wire.escapedText] {
            #expect(decode(text).first?.fault?.field == code)
        }
    }

    @Test("Names that differ in one byte are different")
    func differentNames() throws {
        var names: Set<ViewID> = []
        let base = Array(repeating: UInt8(0x61), count: 32)
        for place in base.indices {
            var bytes = base
            bytes[place] = 0x62
            names.insert(try #require(Self.viewID(bytes, in: 0..<32)))
            names.insert(try #require(Self.viewID(base, in: 0..<place + 1)))
        }
        #expect(names.count == 64)
    }

    @Test(
        "The text of a `LoadID` gives the same `LoadID`", arguments: [0, 1, 9, 10, 4_294_967_295])
    func loadID(_ number: UInt32) {
        for id in [
            LoadID(generation: number, number: 7), LoadID(generation: 7, number: number),
        ] {
            #expect(LoadID(id.description) == id)
        }
        #expect(LoadID(generation: number, number: 7).description == "\(number).7")
    }

    @Test(
        "Any other spelling of a load's identifier is refused",
        arguments: [
            "", ".", "1", "1.", ".1", "1.1.1", "01.1", "1.01", "+1.1", "1.+1", "-1.1", "1.-1",
            " 1.1",
            "1.1 ", "1. 1", "1,1", "0x1.1", "4294967296.1", "1.4294967296", "1.1\u{0}", "１.1",
            "1.١", "99999999999999999999.1", "1.1\n", "a.b",
        ])
    func noLoadID(_ text: String) {
        #expect(LoadID(text) == nil)
    }

    private static func viewID(_ bytes: [UInt8], in range: Range<Int>) -> ViewID? {
        ViewID(String(decoding: bytes[range], as: UTF8.self))
    }
}
