import JournalReplay
import RefreshConfiguration
import RefreshServer
import RefreshSession

/// The journal of a session, in memory; it is replayed when the world is over.
final class SimulatedJournal: JournalSink {
    let started = "2026-11-22T12:00:00.000Z"
    private(set) var isOpen = true
    private var bytes: [UInt8] = []

    func append(_ lines: [UInt8]) { bytes += lines }

    func close() { isOpen = false }

    /// What the session says differently when it is done again; nil: nothing. A daemon that was
    /// killed has left a journal without an end, which is as good as far as it goes.
    func difference() -> String? {
        do {
            let verdict = try InProcessReplay.run(bytes)
            return verdict.isIdentical ? nil : verdict.text
        } catch {
            return "a journal cannot be read: \(error)"
        }
    }
}
