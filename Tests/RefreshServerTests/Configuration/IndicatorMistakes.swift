import Testing

/// One mistake in the file of an indicator, and what the daemon says of it.
struct IndicatorMistake: Sendable, CustomTestStringConvertible {
    var text: String
    var said: String
    var testDescription: String { said }

    init(_ text: String, _ said: String) {
        self.text = text
        self.said = said
    }
}

private let manyLayers = (0..<65).map { #"{"name": "l\#($0)", "path": ""}"# }
    .joined(separator: ",")
private let manyKeys = Array(repeating: "[0,0]", count: 4097).joined(separator: ",")

/// What can be wrong in the file of an indicator.
let indicatorMistakes: [IndicatorMistake] = [
    IndicatorMistake(#"{"layers": []}"#, "layers: 1 to 64 are wanted"),
    IndicatorMistake(
        ##"{"layers": [{"name": "a", "path": "M0 0", "colour": "#123456"}]}"##,
        "layers[0]: there is no colour here; name, path, strokeWidth, cap, filled, x, y, rotation, scale, opacity, color, strokeStart, strokeEnd are; did you mean `color`?"
    ),
    IndicatorMistake(
        ##"{"layers": [{"name": "a", "path": "M0 0"}, {"name": "b", "text": "t", "color": "#12345"}]}"##,
        "layers[1].color: a colour is \"#rrggbb\""
    ),
    IndicatorMistake(
        #"{"layers": [{"name": "a", "path": "M0 0L9 x"}]}"#,
        "layers[0].path: at character 7: a number is expected here"
    ),
    IndicatorMistake(
        #"{"layers": [{"name": "a", "path": 5}]}"#, "layers[0].path: a text is wanted"),
    IndicatorMistake(
        #"{"layers": [{"name": "a", "path": ""}], "plase": "gap"}"#,
        "there is no plase here; size, place, rate, layers, pull, run, finish, states, strings, edge are; did you mean `place`?"
    ),
    IndicatorMistake(
        #"{"layers": [{"name": "a", "path": ""}], "place": "midle"}"#,
        "place: one of gap, edge, content is wanted"
    ),
    IndicatorMistake(
        #"{"layers": [{"name": "a", "path": ""}], "place": "ege"}"#,
        "place: one of gap, edge, content is wanted; did you mean `edge`?"
    ),
    IndicatorMistake(
        #"{"leters": {}}"#,
        "there is no leters here; spinner, indicator, path, letters, compass are; did you mean `letters`?"
    ),
    IndicatorMistake(#"{"letters": {"text": 5}}"#, "letters.text: a text is wanted"),
    IndicatorMistake(#"[1]"#, "an object is wanted"),
    IndicatorMistake(#"{"layers": ["#, "not JSON"),
    IndicatorMistake(#"{"a": 1, "a": 2}"#, "not JSON that is read: a name stands twice"),
    IndicatorMistake(
        String(repeating: "[", count: 100), "not JSON that is read: nested too deeply"),
    IndicatorMistake(
        #"{"layers": [{"name": "a", "path": "", "x": 1e999}]}"#,
        "not JSON that is read: a number is too large"
    ),
    IndicatorMistake(
        #"{"layers": [{"name": "a", "path": "", "text": ""}]}"#,
        "layers[0]: one of path, text, image and box is wanted"
    ),
    IndicatorMistake(
        #"{"layers": [\#(manyLayers)]}"#,
        "layers: 1 to 64 are wanted"
    ),
    IndicatorMistake(
        #"{"layers": [{"name": "a", "path": ""}], "pull": {"tracks": {"a": {"x": [\#(manyKeys)]}}}}"#,
        "at most 4096 keys are allowed"
    ),
]
