import Glibc
import Synchronization
import Workbench

/// Records events of other threads, and waits for them with a deadline.
@safe
final class Recorder<Entry: Sendable>: Sendable {
    private let entries = Mutex<[Entry]>([])

    /// The entries so far.
    var all: [Entry] { entries.withLock { $0 } }

    func record(_ entry: Entry) {
        entries.withLock { $0.append(entry) }
    }

    /// Waits until the entries satisfy a condition. Returns false after a minute (`patience`).
    func waitUntil(_ condition: ([Entry]) -> Bool) -> Bool {
        eventually { condition(all) }
    }
}

/// Waits until a condition is true. Returns false after a minute (`patience`).
func eventually(_ condition: () -> Bool) -> Bool {
    var end = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &end)
    end.tv_sec += 60 * patience
    while !condition() {
        var now = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &now)
        if (now.tv_sec, now.tv_nsec) > (end.tv_sec, end.tv_nsec) { return false }
        usleep(500)
    }
    return true
}
