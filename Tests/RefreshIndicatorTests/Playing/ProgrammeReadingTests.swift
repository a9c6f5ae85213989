import Foundation
import RefreshIndicator
import RefreshProtocol
import Testing
import Workbench

@Suite("Reading programmes")
struct ProgrammeReadingTests {
    @Test("Reading the JSON of a programme gives the same programme")
    func roundTrip() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        var programmes = RandomProgramme(seed: seed)
        for index in 0..<200 {
            let json = programmes.next().json
            let again = try Programme(json: try JSONValue(parsing: json.text))
            #expect(again.json == json, "seed \(seed), programme \(index)")
        }
    }

    @Test("The first example in docs/indicators.md is a valid programme")
    func example() throws {
        let programme = try Programme(json: JSONValue(parsing: Self.documentedExample()))
        #expect(programme.layers.map(\.name) == ["ring", "label"])
        #expect(programme.text("@pull", in: "de-CH") == "Zum Aktualisieren ziehen")
        #expect(programme.text("@pull", in: "fr") == "Pull to refresh")
    }

    @Test("In a programme, a text that begins with @ is written with @@")
    func at() throws {
        let programme = try Programme(
            json: JSONValue(parsing: #"{"layers":[{"name":"a","text":"@@home"}]}"#))
        #expect(programme.text("@@home", in: "en") == "@home")
        #expect(programme.json(language: "en")["layers"]?.array?[0]["text"] == .string("@home"))
    }

    @Test("A short file whose paths expand to too large a programme is refused")
    func writtenOut() throws {
        let path = "M0 0" + String(repeating: "t.1.1", count: 3200)
        let layers = (0..<4).map { #"{"name":"l\#($0)","path":"\#(path)"}"# }
        let text = #"{"layers":[\#(layers.joined(separator: ","))]}"#
        #expect(text.utf8.count < ProgrammeLimits.bytes)
        let json = try JSONValue(parsing: text)
        do throws(ProgrammeError) {
            _ = try Programme(json: json)
            Issue.record("the programme was accepted")
        } catch {
            #expect(error.reason.hasPrefix("its expanded form has "))
        }
    }

    @Test("Every accepted easing gives finite numbers")
    func finite() throws {
        for damping in [0.01, 0.5, 0.99] {
            for periods in [0.01, 1, 50] {
                for step in 0...100 {
                    let value = Easing.spring(damping: damping, periods: periods)
                        .value(at: Double(step) / 100)
                    #expect(value.isFinite && abs(value) < 10)
                }
            }
        }
    }

    @Test("An error contains the path of the mistake", arguments: Self.wrongOnes)
    func mistakes(_ json: String, _ wanted: String) throws {
        do throws(ProgrammeError) {
            _ = try Programme(json: Self.parsed(json))
            Issue.record("the programme was accepted: \(json)")
        } catch {
            #expect(error.description == wanted)
        }
    }

    private static let ring: String = #"{"name":"a","path":"M0 0H1","strokeWidth":1}"#
    private static func with(_ rest: String) -> String { #"{"layers":[\#(ring)],\#(rest)}"# }

    static let wrongOnes: [(String, String)] = [
        ("[]", "expected an object"),
        ("{}", "layers is missing"),
        (#"{"layers":[]}"#, "layers: expected 1 to 64 layers"),
        (#"{"layers":[\#(ring),\#(ring)]}"#, "layers[1]: there is already a layer a"),
        (#"{"layers":[{"name":"a"}]}"#, "layers[0]: expected one of path, text, image and box"),
        (
            #"{"layers":[{"name":"a","path":"M0 0","text":"b"}]}"#,
            "layers[0]: expected one of path, text, image and box"
        ),
        (#"{"layers":[{"path":"M0 0"}]}"#, "layers[0]: name is missing"),
        (#"{"layers":[{"name":"*","path":""}]}"#, "layers[0]: * is not a layer name"),
        (
            #"{"layers":[{"name":"a","path":"","color":"red"}]}"#,
            ##"layers[0].color: a colour is "#rrggbb""##
        ),
        (
            #"{"layers":[{"name":"a","path":"","opacity":2}]}"#,
            "layers[0].opacity: expected 0 to 1"
        ),
        (with(#""rate":31"#), "rate: expected 1 to 30"),
        (with(#""rate":1.5"#), "rate: expected an integer"),
        (with(#""place":"top""#), "place: expected one of gap, edge, content"),
        (with(#""size":[1]"#), "size: expected width and height"),
        (with(#""run":{}"#), "run: duration is missing"),
        (with(#""run":{"duration":0}"#), "run.duration: expected 1 to 60000"),
        (with(#""run":{"duration":9,"loopFrom":10}"#), "run.loopFrom: expected 0 to 9"),
        (
            with(#""pull":{"tracks":{"b":{"x":[[0,0]]}}}"#),
            "pull.tracks.b: there is no layer b"
        ),
        (
            with(#""pull":{"tracks":{"a":{"x":[]}}}"#),
            "pull.tracks.a.x: expected at least one key"
        ),
        (
            with(#""pull":{"tracks":{"a":{"x":[[1,0],[0.5,1]]}}}"#),
            "pull.tracks.a.x[1][0]: positions must not decrease"
        ),
        (
            with(#""pull":{"tracks":{"a":{"x":[[11,0]]}}}"#),
            "pull.tracks.a.x[0][0]: expected 0 to 10"
        ),
        (
            with(##""pull":{"tracks":{"a":{"color":[[0,"#000000"]]}}}"##),
            "pull.tracks.a.color: the layer has no colour of its own"
        ),
        (
            with(#""pull":{"tracks":{"a":{"x":[[0,0,"easy"]]}}}"#),
            "pull.tracks.a.x[0][2]: expected one of linear, ease, easeIn, easeOut, easeInOut, "
                + "hold, or an object"
        ),
        (
            with(#""pull":{"tracks":{"a":{"x":[[0,0,{"steps":[1,"none"]}]]}}}"#),
            "pull.tracks.a.x[0][2].steps[0]: expected 2 to 1000"
        ),
        (
            with(#""pull":{"tracks":{"a":{"x":[[0,0,{"spring":[1,2]}]]}}}"#),
            "pull.tracks.a.x[0][2].spring[0]: expected 0.01 to 0.99"
        ),
        (
            with(#""finish":{"ending":"soon"}"#),
            "finish.ending: expected one of atOnce, atStep, atCycle, atRelease"
        ),
        (
            with(#""states":{"eligible":{"text":{"a":"go"}}}"#),
            "states.eligible.text.a: there is no text layer a"
        ),
        (
            with(#""edge":{"length":0}"#), "edge.length: expected more than 0 and at most 10000"
        ),
    ]

    private static func parsed(_ text: String) -> JSONValue {
        do throws(FaultCode) { return try JSONValue(parsing: text) } catch {
            Issue.record("\(text): \(error)")
            return .null
        }
    }

    /// The first JSON text of docs/indicators.md.
    private static func documentedExample() throws -> String {
        let page = try DocumentationPage.text("docs/indicators.md")
        let begin = try #require(page.range(of: "```json\n"))
        let end = try #require(page[begin.upperBound...].range(of: "\n```"))
        return String(page[begin.upperBound..<end.lowerBound])
    }
}
