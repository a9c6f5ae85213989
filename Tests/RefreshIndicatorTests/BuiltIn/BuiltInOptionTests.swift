import RefreshProtocol
import Testing

@testable import RefreshIndicator

/// What a file may say of a built-in indicator, and how it is told what it may not.
@Suite("Options of built-in indicators")
struct BuiltInOptionTests {
    @Test(
        "a wrong option is refused by its place and a reason",
        arguments: [
            (
                #"{"leters": {}}"#,
                "there is no leters here; spinner, indicator, path, letters, compass are"
            ),
            (#"{"letters": 5}"#, "letters: an object is wanted"),
            (
                #"{"letters": {"txt": "A"}}"#,
                "letters: there is no txt here; text, colors, fontSize, font, spacing, color are"
            ),
            (#"{"letters": {"text": ""}}"#, "letters.text: 1 to 24 letters are wanted"),
            (
                #"{"letters": {"text": "ABCDEFGHIJKLMNOPQRSTUVWXY"}}"#,
                "letters.text: 1 to 24 letters are wanted"
            ),
            (#"{"letters": {"colors": []}}"#, "letters.colors: 1 to 12 colours are wanted"),
            (
                ##"{"letters": {"colors": ["#123456", "red"]}}"##,
                "letters.colors[1]: a colour is \"#rrggbb\""
            ),
            (
                #"{"letters": {"spacing": 0}}"#,
                "letters.spacing: more than 0 and at most 1000 is wanted"
            ),
            (#"{"spinner": {"ticks": 2}}"#, "spinner.ticks: 3 to 24 is wanted"),
            (#"{"spinner": {"ticks": 12.5}}"#, "spinner.ticks: a whole number is wanted"),
            (#"{"spinner": {"period": 10}}"#, "spinner.period: 50 to 4000 is wanted"),
            (
                #"{"spinner": {"overPull": 11}}"#,
                "spinner.overPull: more than 0 and at most 10 is wanted"
            ),
            (#"{"spinner": {"size": "big"}}"#, "spinner.size: a number is wanted"),
            (
                #"{"indicator": {"eligibleScale": 0}}"#,
                "indicator.eligibleScale: more than 0 and at most 10 is wanted"
            ),
            (#"{"path": {"parts": []}}"#, "path.parts: 1 to 16 are wanted"),
            (#"{"path": {"parts": [{"start": 0}]}}"#, "path.parts[0]: path is missing"),
            (
                #"{"path": {"parts": [{"path": "M0 0L1"}]}}"#,
                "path.parts[0].path: at character 6: a number is expected here"
            ),
            (
                #"{"path": {"parts": [{"path": "M0 0", "start": 1.5}]}}"#,
                "path.parts[0].start: 0 to 1 is wanted"
            ),
            (#"{"path": {"frame": [40]}}"#, "path.frame: width and height are wanted"),
            (#"{"path": {"drawBy": "node"}}"#, "path.drawBy: one of length, nodes is wanted"),
            (#"{"path": {"smoothing": 7}}"#, "path.smoothing: 0 to 6 is wanted"),
            (
                #"{"path": {"loading": ["spin"]}}"#,
                "path.loading[0]: one of blink, rotate is wanted"
            ),
            (
                #"{"path": {"heightIncrease": 40, "animationStartDistance": 80}}"#,
                "path.animationStartDistance: the drawing begins where it ends, at 80, or beyond"
            ),
            (
                #"{"path": {"animationEndDistanceOffset": -40}}"#,
                "path: the way ends at 0, which is no way"
            ),
            (#"{"compass": {"needle": {}, "step": 5}}"#, "compass.step: 10 to 4615 is wanted"),
            (
                ##"{"compass": {"colors": ["#000000", "#000000", "#000000", "#000000", "#000000"], "step": 3000}}"##,
                "compass.step: 10 to 2857 is wanted"
            ),
            (#"{"compass": {"width": 0.5}}"#, "compass.width: 1 to 1000 is wanted"),
            (#"{"compass": {"needle": "M0 0"}}"#, "compass.needle: an object is wanted"),
            (
                #"{"compass": {"needle": {"path": "M0 0", "image": "n"}}}"#,
                "compass.needle.image: a half is a path or an image, not both"
            ),
            (
                #"{"compass": {"background": {"strokeWidth": 2}}}"#,
                "compass.background.strokeWidth: only a path is stroked"
            ),
        ])
    func mistakes(text: String, said: String) {
        let error = #expect(throws: ProgrammeError.self) { try Programme(text: text) }
        #expect(error?.description == said)
    }

    @Test("what a file says in few words may not be more than a programme may be")
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
        #expect(long?.description.hasPrefix("path: written out it has ") == true)
    }

    @Test("a word that is not known is told with those that are")
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

    @Test("a programme that is written out is read as one")
    func writtenOut() throws {
        let programme = try Programme(text: #"{"layers": [{"name": "a", "path": "M0 0H1"}]}"#)
        #expect(programme.layers.map(\.name) == ["a"])
    }
}
