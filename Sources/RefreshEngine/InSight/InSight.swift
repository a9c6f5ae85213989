import RefreshProtocol

/// The state of a view with random access: what the client has, what it shows, and which pages are
/// on their way. Source: docs/protocol.md, "What is in sight".
///
/// ```
/// rows in sight ──▶ window (sight, ahead) ──▶ pages to request, loads to cancel
/// ```
///
/// Rows and pages are counted from 0, the first of the feed.
struct InSight: Hashable, Sendable, Codable {
    /// The number of rows of the list; nil until a page was accepted.
    var total: UInt32?
    /// The rows that the client last reported; nil: it has reported none since the list began.
    var rows: VisibleRows?
    var speed: RowSpeed?
    /// The time at which a list without further reports counts as at rest.
    var restsAt = Instant.never
    /// The pages that the client has.
    var loaded = PageSet()
    var loads: [PageLoad] = []
    /// The number of loads that have failed in a row. Until `pausedUntil`, no load begins.
    var failures: UInt8 = 0
    var pausedUntil = Instant.origin
    /// Whether a refresh has replaced the list, so that the running loads belong to the old list.
    var isReplaced = false

    /// The load of one page.
    struct PageLoad: Hashable, Sendable, Codable {
        /// The number of the load in the view.
        var number: UInt32
        var page: UInt16
        /// When the load times out.
        var due: Instant
    }

    /// How the list moves.
    enum Movement: Hashable, Sendable {
        case resting
        /// By the user's hand: a finger, a wheel, keys.
        case held
        /// By inertia or by the program.
        case coasting
    }

    /// The largest number of concurrent loads of a view.
    static let loadsMax = 4
    /// A list without a report for this time, in milliseconds, counts as at rest.
    static let restMs = 100.0
    /// The pages that come into sight within this time are requested ahead, in seconds. A list
    /// that coasts with the usual deceleration of a platform comes to rest after half a second of
    /// its speed, so this is also where it stops.
    static let leadTime = 0.5
    private static let pauseMs: UInt32 = 1000
    private static let pauseMsMax: UInt32 = 30_000

    // MARK: Pages

    /// The page of a row.
    func page(of row: UInt32, size: Int) -> Int { Int(row) / max(size, 1) }

    /// The number of pages of the list.
    func pageCount(size: Int) -> Int {
        min((Int(total ?? 0) + max(size, 1) - 1) / max(size, 1), PageSet.pagesMax)
    }

    /// Sets the number of rows. Rows after the last page that can be recorded do not exist. If rows
    /// are added to the last page, the client needs this page again. Returns whether the number has
    /// changed.
    mutating func setTotal(_ total: Int, size: Int) -> Bool {
        let capped = UInt32(clamping: min(max(total, 0), PageSet.pagesMax * max(size, 1)))
        guard capped != self.total else { return false }
        let old = Int(self.total ?? 0)
        self.total = capped
        loaded.removeAll(from: pageCount(size: size))
        if Int(capped) > old, old % max(size, 1) > 0 { loaded.remove(old / max(size, 1)) }
        return true
    }

    /// The first page in sight.
    func firstPage(size: Int) -> Int {
        guard let rows else { return 0 }
        return min(page(of: rows.first, size: size), PageSet.pagesMax - 1)
    }

    // MARK: Rows

    /// Records the rows in sight.
    mutating func record(_ rows: VisibleRows, _ movement: Movement, at now: Instant) {
        let isOther = rows != self.rows
        self.rows = rows
        if speed == nil { speed = RowSpeed(row: rows.first, at: now) }
        speed?.record(rows.first, at: now, gap: Self.restMs)
        if movement == .resting {
            settle()
        } else if isOther {
            restsAt = now.advanced(byMilliseconds: Self.restMs)
        }
    }

    /// Records that the list is at rest.
    mutating func settle() {
        speed?.stop()
        restsAt = .never
    }

    mutating func recordFailure(at now: Instant) {
        let pause = min(Self.pauseMs << UInt32(min(failures, 5)), Self.pauseMsMax)
        failures = min(failures, .max - 1) + 1
        pausedUntil = now.advanced(byMilliseconds: pause)
    }

    mutating func recordSuccess() {
        failures = 0
        pausedUntil = .origin
    }

    mutating func shift(byMicroseconds microseconds: Int64) {
        speed?.shift(byMicroseconds: microseconds)
        restsAt = restsAt.shifted(byMicroseconds: microseconds)
        if pausedUntil != .origin {
            pausedUntil = pausedUntil.shifted(byMicroseconds: microseconds)
        }
        for index in loads.indices {
            loads[index].due = loads[index].due.shifted(byMicroseconds: microseconds)
        }
    }
}
