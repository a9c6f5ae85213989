internal import Foundation
internal import RefreshBroker
internal import RefreshProtocol
internal import RefreshServer

/// Puts the inputs of a journal through a new session and compares what leaves it with what was
/// recorded. Source: docs/journal.md, "Replay".
package enum JournalReplay {
    /// Replays the file at `path`.
    ///
    /// - Throws: if it cannot be read or is no journal.
    package static func run(path: String) throws(JournalUnusable) -> ReplayVerdict {
        do {
            let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
            defer { try? file.close() }
            return try run { try file.read(upToCount: 65_536).map(Array.init) ?? [] }
        } catch let error as JournalUnusable {
            throw JournalUnusable("\(path): \(error)")
        } catch {
            throw JournalUnusable("\(path): cannot be read: \(error.localizedDescription)")
        }
    }

    /// Replays a journal that is all there.
    package static func run(_ bytes: [UInt8]) throws -> ReplayVerdict {
        var rest = bytes[...]
        return try run {
            defer { rest = [] }
            return Array(rest)
        }
    }

    /// `read` gives the next bytes of the journal; none: that was all.
    private static func run(_ read: @escaping () throws -> [UInt8]) throws -> ReplayVerdict {
        var lines = try JournalReader(read)
        switch lines.next {
        case .line(_, .header(let header)):
            try lines.advance()
            let replay = ReplayedSession(header: header, lines: lines)
            return try replay.run()
        case .line: throw JournalUnusable("is no journal: it does not begin with a header")
        case .damage(_, let reason): throw JournalUnusable("is no journal: line 1 \(reason)")
        case .end: throw JournalUnusable("is no journal: it has no whole line")
        }
    }
}
