internal import RefreshProtocol

/// Splits a process's standard error into lines for the log. The length of a line and the number of
/// lines per second are limited. Source: docs/backends.md, "exec".
struct ErrorLines {
    enum Line: Equatable {
        case line(String)
        case omitted(Int)
    }

    /// The maximum length of a line in Unicode scalars.
    static let charactersMax = 1000
    static let linesPerSecondMax = 100
    /// UTF-8 uses at most four bytes per scalar.
    private static let bytesMax = 4 * charactersMax

    private var line: [UInt8] = []
    private var second = Int64.min
    private var count = 0
    private var omittedCount = 0
    private var lastLine: [UInt8] = []

    /// The last line that is not empty, even if it was omitted from the log; nil if there is none.
    var last: String? { lastLine.isEmpty ? nil : Self.text(of: lastLine) }

    mutating func consumeChunk(_ chunk: UnsafeRawBufferPointer, at now: Instant) -> [Line] {
        var lines: [Line] = []
        unsafe chunk.forEach { byte in
            if byte == UInt8(ascii: "\n") {
                endLine(at: now, into: &lines)
            } else if line.count < Self.bytesMax {
                line.append(byte)
            }
        }
        return lines
    }

    /// Returns the unfinished last line and the number of omitted lines, after the process has
    /// ended.
    mutating func finish(at now: Instant) -> [Line] {
        var lines: [Line] = []
        if !line.isEmpty { endLine(at: now, into: &lines) }
        appendOmitted(into: &lines)
        return lines
    }

    private mutating func endLine(at now: Instant, into lines: inout [Line]) {
        let second = now.microseconds / 1_000_000
        if second != self.second {
            self.second = second
            count = 0
            appendOmitted(into: &lines)
        }
        count += 1
        if line.last == UInt8(ascii: "\r") { line.removeLast() }
        if count <= Self.linesPerSecondMax {
            lines.append(.line(Self.text(of: line)))
        } else {
            omittedCount += 1
        }
        if !line.isEmpty { swap(&line, &lastLine) }
        line.removeAll(keepingCapacity: true)
    }

    private static func text(of line: [UInt8]) -> String {
        let scalars = String(decoding: line, as: UTF8.self).unicodeScalars
        return String(String.UnicodeScalarView(scalars.prefix(charactersMax)))
    }

    private mutating func appendOmitted(into lines: inout [Line]) {
        guard omittedCount > 0 else { return }
        lines.append(.omitted(omittedCount))
        omittedCount = 0
    }
}
