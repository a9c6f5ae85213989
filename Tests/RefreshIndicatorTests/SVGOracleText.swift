/// The features of a path's text that the original misreads, derived from the text alone.
struct SVGOracleText {
    private struct Command {
        var letter: Character
        var values = 0
        /// Whether the letter directly follows another letter.
        var isInRun: Bool

        /// The number of values of one segment.
        var arity: Int {
            switch letter.lowercased() {
            case "z": 0
            case "h", "v": 1
            case "s", "q": 4
            case "c": 6
            case "a": 7
            default: 2
            }
        }
    }

    private var commands: [Command] = []

    init(_ text: String) {
        var end = text.startIndex
        let tokens = /[MmLlHhVvCcSsQqTtAaZz]|[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?/
        for token in text.matches(of: tokens) {
            if let letter = token.output.first, letter.isLetter {
                let isInRun = token.range.lowerBound == end && commands.last?.values == 0
                commands.append(Command(letter: letter, isInRun: isInRun))
            } else if !commands.isEmpty {
                commands[commands.count - 1].values += 1
            }
            end = token.range.upperBound
        }
    }

    /// The verdicts because of which `version` may misread the text or fail.
    func verdicts(version: String) -> Set<String> {
        var verdicts: Set<String> = []
        if has({ $0.isInRun && $0.values > 0 }), version == "0.1.1" { verdicts.insert("SVG-4") }
        let isRepeated = has { !"MmZzAa".contains($0.letter) && $0.values > $0.arity }
        if isRepeated, version == "0.1.1" { verdicts.insert("SVG-5") }
        if has({ "Mm".contains($0.letter) && $0.values > 2 }) { verdicts.insert("SVG-6") }
        if has("Ss", after: "QqTt") || has("Tt", after: "CcSs") { verdicts.insert("SVG-7") }
        if has("SsTt", after: "Zz") { verdicts.insert("SVG-8") }
        if has({ "Aa".contains($0.letter) }) { verdicts.insert("SVG-13") }
        return verdicts
    }

    /// SVG-2: Whether the path begins with a relative move.
    var beginsWithRelativeMove: Bool { commands.first?.letter == "m" }
    /// SVG-3: Whether the path has a closing edge.
    var hasClose: Bool { has { "Zz".contains($0.letter) } }
    /// SVG-9: Whether a drawing command directly follows a closing edge.
    var drawsAfterClose: Bool { has("LlHhVvCcSsQqTt", after: "Zz") }
    /// SVG-15: Whether no command draws a line.
    var drawsNothing: Bool { !has { !"Mm".contains($0.letter) } && !has { $0.values > 2 } }

    private func has(_ isMeant: (Command) -> Bool) -> Bool { commands.contains(where: isMeant) }

    private func has(_ letters: String, after others: String) -> Bool {
        zip(commands, commands.dropFirst()).contains {
            others.contains($0.letter) && letters.contains($1.letter)
        }
    }
}
