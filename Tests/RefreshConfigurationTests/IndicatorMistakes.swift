import Testing

/// An indicator file with a mistake, and the message that the mistake causes.
struct IndicatorMistake: Sendable, CustomTestStringConvertible {
    var text: String
    var message: String
    var testDescription: String { message }

    init(_ text: String, _ message: String) {
        self.text = text
        self.message = message
    }
}

private let manyLayers = (0..<65).map { #"{"name": "l\#($0)", "path": ""}"# }
    .joined(separator: ",")
private let manyKeys = Array(repeating: "[0,0]", count: 4097).joined(separator: ",")

/// Mistakes in an indicator file and their messages.
let indicatorMistakes: [IndicatorMistake] = [
    IndicatorMistake(#"{"layers": []}"#, "layers: expected 1 to 64 layers"),
    IndicatorMistake(
        ##"{"layers": [{"name": "a", "path": "M0 0", "colour": "#123456"}]}"##,
        "layers[0]: unknown member colour; known members: name, path, strokeWidth, cap, filled, x, y, rotation, scale, opacity, color, strokeStart, strokeEnd; did you mean `color`?"
    ),
    IndicatorMistake(
        ##"{"layers": [{"name": "a", "path": "M0 0"}, {"name": "b", "text": "t", "color": "#12345"}]}"##,
        "layers[1].color: a colour is \"#rrggbb\""
    ),
    IndicatorMistake(
        #"{"layers": [{"name": "a", "path": "M0 0L9 x"}]}"#,
        "layers[0].path: at character 7: expected a number"
    ),
    IndicatorMistake(
        #"{"layers": [{"name": "a", "path": 5}]}"#, "layers[0].path: expected a string"),
    IndicatorMistake(
        #"{"layers": [{"name": "a", "path": ""}], "plase": "gap"}"#,
        "unknown member plase; known members: size, place, rate, layers, pull, run, finish, states, strings, edge; did you mean `place`?"
    ),
    IndicatorMistake(
        #"{"layers": [{"name": "a", "path": ""}], "place": "midle"}"#,
        "place: expected one of gap, edge, content"
    ),
    IndicatorMistake(
        #"{"layers": [{"name": "a", "path": ""}], "place": "ege"}"#,
        "place: expected one of gap, edge, content; did you mean `edge`?"
    ),
    IndicatorMistake(
        #"{"leters": {}}"#,
        "unknown member leters; known members: spinner, indicator, path, letters, compass; did you mean `letters`?"
    ),
    IndicatorMistake(#"{"letters": {"text": 5}}"#, "letters.text: expected a string"),
    IndicatorMistake(#"[1]"#, "expected an object"),
    IndicatorMistake(#"{"layers": ["#, "not JSON"),
    IndicatorMistake(#"{"a": 1, "a": 2}"#, "JSON that is not accepted: a name occurs twice"),
    IndicatorMistake(
        String(repeating: "[", count: 100), "JSON that is not accepted: nested too deeply"),
    IndicatorMistake(
        #"{"layers": [{"name": "a", "path": "", "x": 1e999}]}"#,
        "JSON that is not accepted: a number is too large"
    ),
    IndicatorMistake(
        #"{"layers": [{"name": "a", "path": "", "text": ""}]}"#,
        "layers[0]: expected one of path, text, image and box"
    ),
    IndicatorMistake(
        #"{"layers": [\#(manyLayers)]}"#,
        "layers: expected 1 to 64 layers"
    ),
    IndicatorMistake(
        #"{"layers": [{"name": "a", "path": ""}], "pull": {"tracks": {"a": {"x": [\#(manyKeys)]}}}}"#,
        "at most 4096 keys are allowed"
    ),
]
