internal import RefreshSession

/// Writes the Prometheus text format: families, and the samples of the current family.
struct MetricsText {
    enum Kind: String { case counter, gauge, histogram }

    private(set) var text = ""
    private var name = ""

    mutating func family(_ name: String, _ kind: Kind, _ help: String) {
        self.name = name
        text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind.rawValue)\n"
    }

    mutating func sample(_ value: Int, _ labels: [(String, String)] = [], suffix: String = "") {
        sample(text: String(value), labels, suffix: suffix)
    }

    mutating func sample(
        text value: String, _ labels: [(String, String)] = [], suffix: String = ""
    ) {
        text += name + suffix
        if !labels.isEmpty {
            let pairs = labels.map { "\($0.0)=\"\(Self.escaped($0.1))\"" }
            text += "{" + pairs.joined(separator: ",") + "}"
        }
        text += " \(value)\n"
    }

    /// Writes the samples of a histogram.
    mutating func histogram(
        _ durations: CallDurations.Snapshot, _ labels: [(String, String)] = []
    ) {
        var cumulated = 0
        for (bound, count) in zip(CallDurations.boundsMs, durations.counts) {
            cumulated += count
            sample(cumulated, labels + [("le", Self.seconds(bound * 1000))], suffix: "_bucket")
        }
        cumulated += durations.counts.last ?? 0
        sample(cumulated, labels + [("le", "+Inf")], suffix: "_bucket")
        sample(text: Self.seconds(durations.sumMicroseconds), labels, suffix: "_sum")
        sample(cumulated, labels, suffix: "_count")
    }

    /// Returns microseconds as seconds in decimal notation.
    static func seconds(_ microseconds: Int) -> String {
        let fraction = String(microseconds % 1_000_000)
        var digits = String(repeating: "0", count: 6 - fraction.count) + fraction
        while digits.hasSuffix("0") { digits.removeLast() }
        let whole = String(microseconds / 1_000_000)
        return digits.isEmpty ? whole : "\(whole).\(digits)"
    }

    private static func escaped(_ value: String) -> String {
        var result = ""
        for character in value.unicodeScalars {
            switch character {
            case "\\": result += "\\\\"
            case "\"": result += "\\\""
            case "\n": result += "\\n"
            default: result.unicodeScalars.append(character)
            }
        }
        return result
    }
}
