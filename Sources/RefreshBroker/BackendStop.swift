internal import RefreshProtocol

/// The end of all backends: at the same time, each in a thread of its own, within a bound.
enum BackendStop {
    /// A backend's own grace is at most a minute; whoever takes longer is left behind,
    /// milliseconds.
    static var patienceMs: Double { 65_000 }

    /// Stops each backend once, though many feeds may share it, and waits for them.
    static func stop(_ backends: [any Backend], patienceMs: Double = patienceMs) {
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
                // No thread is left to give: one after the other then.
                backend.stop()
                ended.post(number)
            }
        }
        var left = all.count
        let deadline = MonotonicTime.now.advanced(byMilliseconds: patienceMs)
        while left > 0 {
            let stopped = ended.take(until: deadline)
            if stopped.isEmpty { return }
            left -= stopped.count
        }
    }

    /// Whether they are one and the same object; values never are.
    static func areSame(_ one: any Backend, _ other: any Backend) -> Bool {
        type(of: one) is AnyClass && type(of: other) is AnyClass
            && (one as AnyObject) === (other as AnyObject)
    }

    /// Objects are one by identity; values cannot be told from one another and are each their own.
    private static func distinct(_ backends: [any Backend]) -> [any Backend] {
        var seen: Set<ObjectIdentifier> = []
        return backends.filter { backend in
            guard type(of: backend) is AnyClass else { return true }
            return seen.insert(ObjectIdentifier(backend as AnyObject)).inserted
        }
    }
}
