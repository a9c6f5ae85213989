import JournalReplay
import RefreshConfiguration
import RefreshServer
import RefreshSession

/// The journal of a session, in memory. It is replayed at the end of the world.
final class SimulatedJournal: JournalSink {
    let started = "2026-11-22T12:00:00.000Z"
    private(set) var isOpen = true
    private var bytes: [UInt8] = []

    func append(_ lines: [UInt8]) { bytes += lines }

    func close() { isOpen = false }

    /// The difference between the recorded and the replayed output. Nil if there is none. The
    /// journal of a killed daemon has no closing line, and is compared up to its last line.
    func difference() -> String? {
        do {
            let verdict = try InProcessReplay.run(bytes)
            return verdict.isIdentical ? nil : verdict.text
        } catch {
            return "a journal cannot be read: \(error)"
        }
    }
}
