/// Where a replayed session first did something else than the recorded one.
package struct ReplayDifference: Hashable, Sendable {
    /// The number of the line that did not come true.
    package let line: Int
    /// The number of the line whose input the session was handling.
    package let inputLine: Int
    /// The text of the recorded line, without its sum.
    package let recorded: String
    /// What the session did instead, in the same form; nil: nothing.
    package let replayed: String?

    /// Lines up to so many bytes are shown whole, others so many bytes around the difference.
    private static let bytesShown = 400
    private static let bytesBefore = 100

    /// How many bytes the two begin with in common.
    private var common: Int {
        zip(recorded.utf8, (replayed ?? "").utf8).prefix { $0 == $1 }.count
    }

    /// Both sides, one a line.
    var text: String {
        """
          recorded: \(shown(recorded))
          replayed: \(replayed.map(shown) ?? "nothing")
        """ + (replayed == nil ? "" : "\n  the first \(common) bytes agree")
    }

    private func shown(_ text: String) -> String {
        let bytes = Array(text.utf8)
        guard bytes.count > Self.bytesShown else { return text }
        let start = min(max(0, common - Self.bytesBefore), bytes.count)
        let end = min(start + Self.bytesShown, bytes.count)
        let part = String(decoding: bytes[start..<end], as: UTF8.self)
        return (start > 0 ? "…" : "") + part + (end < bytes.count ? "…" : "")
    }
}
