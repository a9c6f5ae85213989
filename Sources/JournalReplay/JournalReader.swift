internal import Foundation
internal import RefreshServer
package import RefreshSession

/// Reads the lines of a journal in order. It reads a file in small parts, so a long file is never
/// completely in memory.
package struct JournalReader {
    /// The next line. Lines are numbered from 1.
    package enum Next {
        case line(Int, JournalLine)
        /// The line is malformed or was changed after it was written, as `reason` explains. Later
        /// lines are not read.
        case damage(Int, reason: JournalLineError)
        case end
    }

    package private(set) var next = Next.end
    /// The number of the last line if that line has no line end. A line without a line end is
    /// ignored.
    private(set) var tornLine: Int?

    private let read: () throws -> [UInt8]
    private var buffer: [UInt8] = []
    /// The index of the first byte that was not yet parsed.
    private var start = 0
    private var number = 0

    /// Creates a reader. `read` returns the next bytes, or an empty array at the end of the input.
    package init(_ read: @escaping () throws -> [UInt8]) throws {
        self.read = read
        try advance()
    }

    /// Advances to the line after `next`.
    package mutating func advance() throws {
        if case .damage = next { return }
        guard let bytes = try nextBytes() else {
            next = .end
            return
        }
        do throws(JournalLineError) {
            next = .line(number, try JournalLine(parsing: bytes))
        } catch {
            next = .damage(number, reason: error)
        }
    }

    /// Returns the next complete line, without its line end; nil if there is none.
    private mutating func nextBytes() throws -> [UInt8]? {
        var searched = start
        while true {
            if let end = buffer[searched...].firstIndex(of: 0x0A) {
                defer { start = end + 1 }
                number += 1
                return Array(buffer[start..<end])
            }
            let more = try read()
            guard !more.isEmpty else {
                if start < buffer.count { tornLine = number + 1 }
                return nil
            }
            buffer.removeSubrange(..<start)
            start = 0
            searched = buffer.count
            buffer += more
        }
    }
}

extension JournalReader {
    /// Returns the result of `body` for the journal at `path`. `body` receives the header and a
    /// reader of the lines after it.
    ///
    /// - Throws: if the file cannot be read or is not a journal.
    package static func withJournal<Result>(
        _ path: String, _ body: (JournalHeader, JournalReader) throws -> Result
    ) throws(JournalUnusable) -> Result {
        do {
            let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
            defer { try? file.close() }
            return try withJournal({ try file.read(upToCount: 65_536).map(Array.init) ?? [] }, body)
        } catch let error as JournalUnusable {
            throw JournalUnusable("\(path): \(error)")
        } catch {
            throw JournalUnusable("\(path): cannot be read: \(error.localizedDescription)")
        }
    }

    /// Returns the result of `body` for the journal with these bytes. `body` receives the header
    /// and a reader of the lines after it.
    package static func withJournal<Result>(
        _ bytes: [UInt8], _ body: (JournalHeader, JournalReader) throws -> Result
    ) throws -> Result {
        var rest = bytes[...]
        return try withJournal(
            {
                defer { rest = [] }
                return Array(rest)
            }, body)
    }

    private static func withJournal<Result>(
        _ read: @escaping () throws -> [UInt8],
        _ body: (JournalHeader, JournalReader) throws -> Result
    ) throws -> Result {
        var lines = try JournalReader(read)
        switch lines.next {
        case .line(_, .header(let header)):
            try lines.advance()
            return try body(header, lines)
        case .line: throw JournalUnusable("is not a journal: it does not begin with a header")
        case .damage(_, let reason): throw JournalUnusable("is not a journal: line 1 \(reason)")
        case .end: throw JournalUnusable("is not a journal: it has no complete line")
        }
    }
}

/// The reason why a file cannot be replayed at all.
package struct JournalUnusable: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}
