internal import Foundation
internal import RefreshServer

/// The lines of a journal, one after the other; of a long file only one is held at a time.
struct JournalReader {
    /// What comes next. Lines are numbered from 1.
    enum Next {
        case line(Int, JournalLine)
        /// A line that is none, or was changed, and why: nothing behind it is read.
        case damage(Int, reason: JournalLineError)
        case end
    }

    private(set) var next = Next.end
    /// The number of the last line, if it has no end; it is left out.
    private(set) var torn: Int?

    private let read: () throws -> [UInt8]
    private var buffer: [UInt8] = []
    /// Where the bytes begin that were not made into lines.
    private var start = 0
    private var number = 0

    /// `read` gives the next bytes; none: that was all.
    init(_ read: @escaping () throws -> [UInt8]) throws {
        self.read = read
        try advance()
    }

    /// Goes on to the line behind `next`.
    mutating func advance() throws {
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

    /// The next whole line, without its end; nil if there is none.
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
                if start < buffer.count { torn = number + 1 }
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
    /// What `body` makes of the journal at `path`: it is given the header, and the lines behind it.
    ///
    /// - Throws: if it cannot be read or is no journal.
    static func reading<Result>(
        _ path: String, _ body: (JournalHeader, JournalReader) throws -> Result
    ) throws(JournalUnusable) -> Result {
        do {
            let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
            defer { try? file.close() }
            return try reading({ try file.read(upToCount: 65_536).map(Array.init) ?? [] }, body)
        } catch let error as JournalUnusable {
            throw JournalUnusable("\(path): \(error)")
        } catch {
            throw JournalUnusable("\(path): cannot be read: \(error.localizedDescription)")
        }
    }

    /// The same of a journal that is all there.
    static func reading<Result>(
        _ bytes: [UInt8], _ body: (JournalHeader, JournalReader) throws -> Result
    ) throws -> Result {
        var rest = bytes[...]
        return try reading(
            {
                defer { rest = [] }
                return Array(rest)
            }, body)
    }

    private static func reading<Result>(
        _ read: @escaping () throws -> [UInt8],
        _ body: (JournalHeader, JournalReader) throws -> Result
    ) throws -> Result {
        var lines = try JournalReader(read)
        switch lines.next {
        case .line(_, .header(let header)):
            try lines.advance()
            return try body(header, lines)
        case .line: throw JournalUnusable("is no journal: it does not begin with a header")
        case .damage(_, let reason): throw JournalUnusable("is no journal: line 1 \(reason)")
        case .end: throw JournalUnusable("is no journal: it has no whole line")
        }
    }
}
