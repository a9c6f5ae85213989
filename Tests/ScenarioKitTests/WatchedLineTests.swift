import Testing

@testable import ScenarioKit

@Suite("Lines of watched events")
struct WatchedLineTests {
    private static func text(_ event: String, isColoured: Bool = false) throws -> String {
        let lines = try #require(WatchedLine.lines(ofFrame: event))
        return lines.map { $0.text(paint: isColoured ? { $1.painting($0) } : Tint.none) }.joined(
            separator: "\n")
    }

    @Test("The columns of lines are aligned")
    func columns() throws {
        let head = #""time":"2026-11-21T12:00:00.123Z","session":"c04a0b2d43fb6f50""#
        let text = try Self.text(
            "[{\"event\":\"received\",\(head),\"view\":\"list\",\"type\":\"scroll\",\"seq\":7},"
                + "{\"event\":\"transition\",\(head),\"view\":\"list\",\"feed\":\"songs\","
                + "\"edge\":\"refresh\",\"from\":\"idle\",\"to\":\"pulling\",\"cause\":\"finger\"},"
                + "{\"event\":\"loadEnded\",\(head),\"view\":\"list\",\"feed\":\"songs\","
                + "\"load\":\"1.2\",\"kind\":\"refresh\",\"result\":\"success\",\"ms\":12.5},"
                + "{\"event\":\"closed\",\(head)},{\"event\":\"lost\",\"count\":12}]")
        #expect(
            text == """
                12:00:00.123 c04a0b2d43fb6f50 received   list     type=scroll seq=7
                12:00:00.123 c04a0b2d43fb6f50 transition list     refresh idle -> pulling (finger)
                12:00:00.123 c04a0b2d43fb6f50 loadEnded  list     feed=songs load=1.2 kind=refresh result=success ms=12.5
                12:00:00.123 c04a0b2d43fb6f50 closed
                                              lost       12 events: they came faster than they were read
                """)
    }

    @Test("Names from clients cannot move the cursor of a terminal")
    func hostile() throws {
        let text = try Self.text(
            #"{"event":"greeted","time":"x","session":"\u001b[2J","view":"\u202e\n","client":"a\u0007\u2028b","x\u001b":1}"#
        )
        #expect(text.unicodeScalars.allSatisfy { (0x20..<0x7F).contains($0.value) })
        #expect(!text.contains("\n"))
    }

    @Test("Colours are used only for terminals, and mark failures")
    func colours() throws {
        let fault = #"{"event":"fault","time":"T","session":"a","code":"unknownView"}"#
        #expect(try Self.text(fault, isColoured: true).hasPrefix("\u{1B}[31m"))
        #expect(try Self.text(fault, isColoured: true).hasSuffix("\u{1B}[0m"))
        #expect(try !Self.text(fault).contains("\u{1B}"))
        let failed = #"{"event":"transition","session":"a","edge":"refresh","to":"failed"}"#
        #expect(try Self.text(failed, isColoured: true).hasPrefix("\u{1B}[31m"))
        let plain = #"{"event":"attached","session":"a"}"#
        #expect(try !Self.text(plain, isColoured: true).contains("\u{1B}"))
    }

    @Test(
        "JSON that is not an event gives no line",
        arguments: ["", "x", "[]]", "7", "[{}]", #"[{"event":1}]"#])
    func nonsense(frame: String) { #expect(WatchedLine.lines(ofFrame: frame) == nil) }
}
