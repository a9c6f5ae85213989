import CLWS
import Glibc
import Synchronization

extension EventLoop {
    /// Starts the loop's thread. A second call changes nothing.
    package func start() {
        lifecycle.withLock { lifecycle in
            guard case .made = lifecycle else { return }
            var thread = pthread_t()
            var all = sigset_t()
            var before = sigset_t()
            // The thread inherits the mask of the moment it is made in.
            unsafe sigfillset(&all)
            unsafe pthread_sigmask(SIG_SETMASK, &all, &before)
            let result = unsafe pthread_create(
                &thread, nil,
                { argument in
                    guard let argument = unsafe argument else { return nil }
                    unsafe Unmanaged<EventLoop>.fromOpaque(argument).takeRetainedValue().run()
                    return nil
                }, Unmanaged.passRetained(self).toOpaque())
            unsafe pthread_sigmask(SIG_SETMASK, &before, nil)
            precondition(result == 0, "the system gives no thread for an event loop")
            lifecycle = .running(thread)
        }
    }

    /// Stops the loop: its listeners close, its connections are cut (each is told to the handler as
    /// closed), its thread ends, and then this returns. Say goodbye with `Connection.close` before.
    /// Not to be called on the loop's own thread. A second call, or one before `start`, only makes
    /// sure that the loop never runs.
    package func stop() {
        precondition(!isOnLoop, "a loop cannot wait for its own end")
        let thread: pthread_t? = lifecycle.withLock { lifecycle in
            defer { lifecycle = .ended }
            switch lifecycle {
            case .made:
                for listener in listeners { listener.close() }
                return nil
            case .running(let thread): return thread
            case .ended: return nil
            }
        }
        guard let thread else { return }
        post { [self] in end() }
        pthread_join(thread, nil)
    }

    /// Runs `job` on the loop's thread, after those posted before; from any thread. False when the
    /// loop has ended, and then the job never runs.
    @discardableResult
    package func post(_ job: @escaping @Sendable () -> Void) -> Bool {
        let wasEmpty: Bool? = mailbox.withLock { mailbox in
            guard !mailbox.isClosed else { return nil }
            mailbox.jobs.append(job)
            return mailbox.jobs.count == 1
        }
        guard let wasEmpty else { return false }
        // One wake-up for each time the mailbox fills (L12); it fires on every accept as well.
        if wasEmpty { unsafe lws_cancel_service(parts.context) }
        return true
    }

    /// Runs `job` on the loop's thread with the loop's handler, as long as there is one; from any
    /// thread. Who posts so need not hold the handler, not even weakly: an object that is referred
    /// to weakly costs more to hold.
    package func postToHandler(_ job: @escaping @Sendable (any TransportHandler) -> Void) {
        post { self.handler.map(job) }
    }

    /// Has `TransportHandler.woken` called at that time of `MonotonicClock`. There is one such
    /// time: the earliest asked for since the last call of `woken`.
    package func wake(at microseconds: Int64) {
        checkThread()
        if let wakeAt, wakeAt <= microseconds { return }
        wakeAt = microseconds
        armWakeTimer(ifDueBefore: nextTickAt)
    }

    /// Leaves times that are far off to the ticks of liveness: each timer that is armed costs every
    /// message some forty instructions, since the library moves its own among them.
    func armWakeTimer(ifDueBefore end: Int64) {
        guard let wakeAt, wakeAt <= end else { return }
        wakeTimer.arm(at: wakeAt)
    }

    /// Traps in debug builds when the caller is not on the loop's thread.
    @inline(__always)
    package func checkThread() {
        assert(isOnLoop, "a loop's connections were touched on another thread")
    }

    /// Whether the caller is on the loop's thread.
    package var isOnLoop: Bool {
        UInt(pthread_self()) == loopThread.load(ordering: .relaxed)
    }

    private func run() {
        loopThread.store(UInt(pthread_self()), ordering: .relaxed)
        unsafe clws_name_thread("loop-\(configuration.index)")
        handler = makeHandler(self)
        for listener in listeners { startAccepting(on: listener) }
        drainMailbox()
        // Returns when `leave` stopped it.
        unsafe uv_run(parts.uvLoop, UV_RUN_DEFAULT)
        mailbox.withLock { mailbox in
            mailbox.isClosed = true
            mailbox.jobs = []
        }
        handler = nil
    }

    /// Runs what was posted. Called for every wake-up, also for those that are not about the
    /// mailbox.
    func drainMailbox() {
        let jobs = mailbox.withLock { mailbox in
            defer { mailbox.jobs = [] }
            return mailbox.jobs
        }
        for job in jobs { job() }
    }

    func wakeTimerFired() {
        guard let at = wakeAt else { return }
        guard at <= MonotonicClock.nowMicroseconds else { return wakeTimer.arm(at: at) }
        wakeAt = nil
        handler?.woken()
    }

    private func end() {
        guard !isEnding else { return }
        isEnding = true
        closeListeners()
        for connection in connections.all { connection.cut() }
        // Whatever the library makes of the cuts, the thread ends.
        endTimer.arm(inMicroseconds: connections.count == 0 ? 1 : 1_000_000)
    }

    /// Leaves the service loop; `run` goes on behind it.
    func leave() {
        unsafe uv_stop(parts.uvLoop)
    }

    /// After a connection has ended: was it the last one that `end` waits for?
    func leaveIfEnded() {
        if isEnding, connections.count == 0 { endTimer.arm(inMicroseconds: 1) }
    }
}
