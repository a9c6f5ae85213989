import Foundation
import RefreshBroker
import RefreshProtocol
import Testing
import Workbench

@testable import RefreshServer
@testable import RefreshSession

@Suite("Lines of a journal")
struct JournalLineTests {
    @Test(
        "A line of each kind is one line of text, and is parsed as it was written",
        arguments: JournalSamples.lines)
    func roundTrip(line: JournalLine) throws {
        let bytes = line.bytes
        #expect(bytes.last == 0x0A)
        #expect(bytes.dropLast().allSatisfy { $0 >= 0x20 })
        #expect(try JournalLine(parsing: Array(bytes.dropLast())) == line)
        // The check with Foundation confirms that the line is JSON.
        #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(bytes)) }
    }

    @Test("The samples contain every kind of input and output")
    func complete() {
        let kinds = Set(JournalSamples.lines.map(Self.kind))
        #expect(
            kinds == [
                "header", "frame", "binary", "writable", "channel", "load", "lookUp", "progress",
                "retrying", "changed", "edited", "out edit", "wake", "held", "end", "draining",
                "lost", "resumed",
                "refused",
                "rebuilt", "begun",
                "known", "identified", "sealed", "left", "closed", "out identify", "out resume",
                "out frame", "out wait", "out close",
                "out start", "out cancel", "observed", "closing",
            ])
    }

    /// Returns the kind of a line. The `switch` has no default case, so a new kind does not compile
    /// until it is added here.
    private static func kind(_ line: JournalLine) -> String {
        switch line {
        case .header: "header"
        case .input(_, .begun): "begun"
        case .input(_, .frame): "frame"
        case .input(_, .binary): "binary"
        case .input(_, .writable): "writable"
        case .input(_, .channel): "channel"
        case .input(_, .load(_, _, let event)): kind(event)
        case .input(_, .changed): "changed"
        case .input(_, .edited): "edited"
        case .input(_, .wake): "wake"
        case .input(_, .held): "held"
        case .input(_, .end): "end"
        case .input(_, .draining): "draining"
        case .input(_, .known): "known"
        case .input(_, .identified): "identified"
        case .input(_, .lost): "lost"
        case .input(_, .resumed): "resumed"
        case .input(_, .refused): "refused"
        case .input(_, .rebuilt): "rebuilt"
        case .input(_, .sealed): "sealed"
        case .input(_, .left): "left"
        case .input(_, .closed): "closed"
        case .output(.frame): "out frame"
        case .output(.wait): "out wait"
        case .output(.close): "out close"
        case .output(.identify): "out identify"
        case .output(.resume): "out resume"
        case .output(.start): "out start"
        case .output(.cancel): "out cancel"
        case .output(.edit): "out edit"
        case .observed: "observed"
        case .end: "closing"
        }
    }

    private static func kind(_ event: LoadEvent) -> String {
        switch event {
        case .ended: "load"
        case .progressed: "progress"
        case .retrying: "retrying"
        case .lookUpEnded: "lookUp"
        }
    }

    @Test("A line in which any byte was changed is refused", arguments: JournalSamples.lines)
    func changed(line: JournalLine) {
        let bytes = Array(line.bytes.dropLast())
        var accepted: [Int] = []
        for index in bytes.indices {
            for change: UInt8 in [0x01, 0x20, 0x80] {
                var other = bytes
                other[index] ^= change
                if (try? JournalLine(parsing: other)) != nil { accepted.append(index) }
            }
        }
        #expect(accepted.isEmpty)
    }

    @Test(
        "Checksums are those of FNV-1a",
        arguments: [("", "811c9dc5"), ("a", "e40c292c"), ("foobar", "bf9cf968")])
    func sum(text: String, sum: String) {
        #expect(LineSum(Array(text.utf8).span).text == sum)
    }

    @Test(
        "An invalid line with a correct checksum is refused with a reason",
        arguments: [
            (#"{"a":1"#, "is not a journal line"),
            (#"{"journal":"refreshd-journal/2""#, #"has another format: "refreshd-journal/2""#),
            (#"{"at":1,"in":"nap""#, "has an unknown kind: `nap`"),
            (#"{"in":"wake""#, "has no `at`"),
            (#"{"at":1.5,"in":"wake""#, "has a `at` that is not an integer"),
            (#"{"at":"1","in":"wake""#, "has a `at` of the wrong type"),
            (#"{"at":1,"in":"frame""#, "has no `base64`"),
            (#"{"at":1,"in":"frame","base64":"?""#, "has an invalid `base64`"),
            (#"{"at":1,"in":"end","code":"bored""#, "has an unknown `code`: `bored`"),
            (#"{"at":1,"in":"load","load":"1","view":"v""#, "has an invalid `load`"),
            (#"{"at":1,"in":"load","load":"1.1","view":"""#, "has an invalid `view`"),
            (#"{"out":"close","code":70000,"reason":"""#, "has a `code` that is not a close code"),
            (#"{"end":true,"inputs":1"#, "has no `outputs`"),
            (page(keys: #"["1"]"#, contents: "[]"), "has `keys` that do not match the items"),
            (page(keys: #"["1","2"]"#, contents: #"["3"]"#), unfitting),
            (page(keys: #"["1","1"]"#, contents: #"["3","4"]"#), unfitting),
            (page(keys: #"["1","2"]"#, contents: #"["3",null]"#), unfitting),
            (page(keys: #"["1",null]"#, contents: #"["3","4"]"#), unfitting),
            (page(keys: #"["1","2"]"#, contents: #"["3","x"]"#), "has an invalid key"),
        ])
    func noLine(members: String, reason: String) throws {
        let line = members + #","sum":"\#(LineSum(Array(members.utf8).span).text)"}"#
        let error = #expect(throws: JournalLineError.self) {
            try JournalLine(parsing: Array(line.utf8))
        }
        #expect(error?.description == reason)
    }

    private static let unfitting = "has `contents` that do not match the `keys`"

    /// A page of two items.
    private static func page(keys: String, contents: String) -> String {
        #"{"at":1,"in":"load","load":"1.1","view":"v","outcome":"page","items":{"text":"[1,2]"},"#
            + #""count":2,"keys":\#(keys),"contents":\#(contents)"#
    }

    @Test("A member that a newer writer has added is ignored")
    func unknownMember() throws {
        let members = #"{"at":7,"in":"wake","mood":"fine""#
        let line = members + #","sum":"\#(LineSum(Array(members.utf8).span).text)"}"#
        #expect(
            try JournalLine(parsing: Array(line.utf8))
                == .input(at: Instant(microseconds: 7), .wake))
    }

    @Test("journal.md describes every kind of input and output")
    func documented() throws {
        let page = try DocumentationPage.text(of: "journal.md")
        for line in JournalSamples.lines {
            let object = try JSONValue(parsing: Array(line.bytes.dropLast()))
            guard case .object(let members) = object else { continue }
            for name in members.map(\.name) {
                #expect(page.contains("`\(name)`") || page.contains("\"\(name)\""), "\(name)")
            }
            for kind in [object["in"]?.string, object["out"]?.string].compactMap(\.self) {
                #expect(page.contains("| `\(kind)` |"), "\(kind) is not documented")
            }
        }
        #expect(page.contains("`\(JournalHeader.format)`"))
        #expect(page.contains("\(JournalWriter.waitingBytesMax / 1_048_576) MiB"))
    }
}
