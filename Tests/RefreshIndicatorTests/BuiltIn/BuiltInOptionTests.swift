import RefreshProtocol
import Testing

@testable import RefreshIndicator

/// The options that a file may set for a built-in indicator, and the errors for wrong options.
@Suite("Options of built-in indicators")
struct BuiltInOptionTests {
    @Test(
        "A wrong option is refused with its path in the file and a reason",
        arguments: [
            (
                #"{"leters": {}}"#,
                "unknown member leters; known members: spinner, indicator, path, letters, compass"
            ),
            (#"{"letters": 5}"#, "letters: expected an object"),
            (
                #"{"letters": {"txt": "A"}}"#,
                "letters: unknown member txt; known members: text, colors, fontSize, font, "
                    + "spacing, color"
            ),
            (#"{"letters": {"text": ""}}"#, "letters.text: expected 1 to 24 letters"),
            (
                #"{"letters": {"text": "ABCDEFGHIJKLMNOPQRSTUVWXY"}}"#,
                "letters.text: expected 1 to 24 letters"
            ),
            (#"{"letters": {"colors": []}}"#, "letters.colors: expected 1 to 12 colours"),
            (
                ##"{"letters": {"colors": ["#123456", "red"]}}"##,
                "letters.colors[1]: a colour is \"#rrggbb\""
            ),
            (
                #"{"letters": {"spacing": 0}}"#,
                "letters.spacing: expected more than 0 and at most 1000"
            ),
            (#"{"spinner": {"ticks": 2}}"#, "spinner.ticks: expected 3 to 24"),
            (#"{"spinner": {"ticks": 12.5}}"#, "spinner.ticks: expected an integer"),
            (#"{"spinner": {"period": 10}}"#, "spinner.period: expected 50 to 4000"),
            (
                #"{"spinner": {"overPull": 11}}"#,
                "spinner.overPull: expected more than 0 and at most 10"
            ),
            (#"{"spinner": {"size": "big"}}"#, "spinner.size: expected a number"),
            (
                #"{"indicator": {"eligibleScale": 0}}"#,
                "indicator.eligibleScale: expected more than 0 and at most 10"
            ),
            (#"{"path": {"parts": []}}"#, "path.parts: expected 1 to 16 parts"),
            (#"{"path": {"parts": [{"start": 0}]}}"#, "path.parts[0]: path is missing"),
            (
                #"{"path": {"parts": [{"path": "M0 0L1"}]}}"#,
                "path.parts[0].path: at character 6: expected a number"
            ),
            (
                #"{"path": {"parts": [{"path": "M0 0", "start": 1.5}]}}"#,
                "path.parts[0].start: expected 0 to 1"
            ),
            (#"{"path": {"frame": [40]}}"#, "path.frame: expected width and height"),
            (#"{"path": {"drawBy": "node"}}"#, "path.drawBy: expected one of length, nodes"),
            (#"{"path": {"smoothing": 7}}"#, "path.smoothing: expected 0 to 6"),
            (
                #"{"path": {"loading": ["spin"]}}"#,
                "path.loading[0]: expected one of blink, rotate"
            ),
            (
                #"{"path": {"heightIncrease": 40, "animationStartDistance": 80}}"#,
                "path.animationStartDistance: the animation must start before its end, 80"
            ),
            (
                #"{"path": {"animationEndDistanceOffset": -40}}"#,
                "path: the animation must end above 0, but ends at 0"
            ),
            (#"{"compass": {"needle": {}, "step": 5}}"#, "compass.step: expected 10 to 4615"),
            (
                ##"{"compass": {"colors": ["#000000", "#000000", "#000000", "#000000", "#000000"], "step": 3000}}"##,
                "compass.step: expected 10 to 2857"
            ),
            (#"{"compass": {"width": 0.5}}"#, "compass.width: expected 1 to 1000"),
            (#"{"compass": {"needle": "M0 0"}}"#, "compass.needle: expected an object"),
            (
                #"{"compass": {"needle": {"path": "M0 0", "image": "n"}}}"#,
                "compass.needle.image: a half is a path or an image, not both"
            ),
            (
                #"{"compass": {"background": {"strokeWidth": 2}}}"#,
                "compass.background.strokeWidth: only a path can have a stroke"
            ),
        ])
    func mistakes(text: String, said: String) {
        let error = #expect(throws: ProgrammeError.self) { try Programme(text: text) }
        #expect(error?.description == said)
    }

    @Test("A short file that describes too large a programme is refused")
    func size() {
        let zigzag = "M0 0" + (0..<300).map { "L\($0) \($0 % 2)" }.joined()
        let error = #expect(throws: ProgrammeError.self) {
            try Programme(
                text:
                    #"{"path": {"parts": [{"path": "\#(zigzag)"}], "drawBy": "nodes", "smoothing": 6}}"#
            )
        }
        #expect(error?.description == "path: at most 4096 keys are allowed")
        let parts = (0..<16).map { _ in #"{"path": "\#(zigzag)"}"# }.joined(separator: ",")
        let long = #expect(throws: ProgrammeError.self) {
            try Programme(text: #"{"path": {"parts": [\#(parts)]}}"#)
        }
        #expect(long?.description.hasPrefix("path: its expanded form has ") == true)
    }

    @Test("An error for an unknown word contains the known words")
    func unknownWords() throws {
        let member = #expect(throws: ProgrammeError.self) {
            try Programme(text: #"{"compass": {"colours": []}}"#)
        }
        #expect(member?.unknown?.word == "colours")
        #expect(member?.unknown?.known == CompassIndicator.fields)
        let value = #expect(throws: ProgrammeError.self) {
            try Programme(text: #"{"path": {"drawBy": "node"}}"#)
        }
        #expect(value?.unknown == ProgrammeError.Unknown(word: "node", known: ["length", "nodes"]))
    }

    @Test("A file with layers is read as a programme, not as options of a built-in indicator")
    func writtenOut() throws {
        let programme = try Programme(text: #"{"layers": [{"name": "a", "path": "M0 0H1"}]}"#)
        #expect(programme.layers.map(\.name) == ["a"])
    }
}
