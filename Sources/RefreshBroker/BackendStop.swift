internal import RefreshProtocol

/// Stops all backends concurrently, each on its own thread, within a time limit.
enum BackendStop {
    /// The time limit in milliseconds. A backend's own grace period is at most one minute. A
    /// backend that takes longer than the limit is abandoned.
    static var timeLimitMs: Double { 65_000 }

    /// Stops each backend once, even if several feeds share it. Waits until all of them have
    /// stopped, or until the time limit has passed.
    static func stop(_ backends: [any Backend], timeLimitMs: Double = timeLimitMs) {
        let ended = Mailbox<Int>()
        let all = distinct(backends)
        for (number, backend) in all.enumerated() {
            let thread = ServiceThread {
                backend.stop()
                ended.post(number)
            }
            if let thread {
                thread.detach()
            } else {
                // No thread is available: stop this backend synchronously.
                backend.stop()
                ended.post(number)
            }
        }
        var left = all.count
        let deadline = MonotonicTime.now.advanced(byMilliseconds: timeLimitMs)
        while left > 0 {
            let stopped = ended.receive(until: deadline)
            if stopped.isEmpty { return }
            left -= stopped.count
        }
    }

    /// Returns whether both backends are the same object. A backend that is a struct is never the
    /// same as another.
    static func areSame(_ one: any Backend, _ other: any Backend) -> Bool {
        type(of: one) is AnyClass && type(of: other) is AnyClass
            && (one as AnyObject) === (other as AnyObject)
    }

    /// Returns the backends without duplicates. Objects are compared by identity. Structs have no
    /// identity, so each struct counts as distinct.
    private static func distinct(_ backends: [any Backend]) -> [any Backend] {
        var seen: Set<ObjectIdentifier> = []
        return backends.filter { backend in
            guard type(of: backend) is AnyClass else { return true }
            return seen.insert(ObjectIdentifier(backend as AnyObject)).inserted
        }
    }
}
