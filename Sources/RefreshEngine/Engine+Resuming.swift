package import RefreshProtocol

/// Operations of a driver on an engine that outlives its process.
extension Engine {
    /// Moves the engine to a clock that shows `microseconds` more at the same moment. Its behaviour
    /// at `t` on the new clock equals that at `t - microseconds` on the old one.
    package mutating func shift(byMicroseconds microseconds: Int64) {
        deadlines.shift(byMicroseconds: microseconds)
        motion = motion?.shifted(byMicroseconds: microseconds)
        pace.shift(byMicroseconds: microseconds)
        updatedAt = updatedAt.shifted(byMicroseconds: microseconds)
        shownAt = shownAt.shifted(byMicroseconds: microseconds)
        moreStartedAt = moreStartedAt.shifted(byMicroseconds: microseconds)
        backOffEnd = backOffEnd.shifted(byMicroseconds: microseconds)
        if layoutEnd != .origin {
            layoutEnd = layoutEnd.shifted(byMicroseconds: microseconds)
        }
    }

    /// The loads in flight as they were ordered, the refresh first, each with its original full
    /// deadline.
    package var loadsInFlight: [LoadOrder] {
        var orders: [LoadOrder] = []
        if let load = refreshLoad {
            let request = paging.request(for: .refresh)
            orders.append(
                LoadOrder(
                    id: load, kind: .refresh, trigger: refreshTrigger, cause: refreshCause,
                    page: request.page, offset: request.offset, size: Int(refreshSize),
                    cursor: request.cursor, attempt: max(1, Int(refreshAttempt)),
                    deadlineMs: Int(options.deadline(of: .refresh))))
        }
        if let load = loadMore.load {
            let request = paging.request(for: .more)
            orders.append(
                LoadOrder(
                    id: load, kind: .more, trigger: moreTrigger, cause: moreCause,
                    page: request.page, offset: request.offset, size: options.paging.size,
                    cursor: request.cursor, attempt: max(1, Int(moreAttempt)),
                    deadlineMs: Int(options.deadline(of: .more))))
        }
        return orders
    }

    /// Restarts the deadlines of the loads in flight at `now`, each with its full duration.
    package mutating func restartLoadDeadlines(at now: Instant) {
        if refreshLoad != nil {
            deadlines.refreshLoad = now.advanced(byMilliseconds: options.deadline(of: .refresh))
        }
        if loadMore.load != nil {
            deadlines.moreLoad = now.advanced(byMilliseconds: options.deadline(of: .more))
            moreStartedAt = now
        }
    }
}
