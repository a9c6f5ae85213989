import CLWS
import Glibc
import Synchronization

extension EventLoop {
    /// Starts the loop's thread. A second call has no effect.
    package func start() {
        lifecycle.withLock { lifecycle in
            guard case .made = lifecycle else { return }
            var thread = pthread_t()
            var all = sigset_t()
            var before = sigset_t()
            // The thread inherits the signal mask that is set when it is created.
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
            precondition(result == 0, "the system cannot create a thread for an event loop")
            lifecycle = .running(thread)
        }
    }

    /// Stops the loop and waits for its end. The listeners are closed, the connections are cut (the
    /// handler receives `closed` for each), and the thread ends. To close connections cleanly, call
    /// `Connection.close` first. Must not be called on the loop's own thread. If the loop has not
    /// started, the call only ensures that the loop never runs. A second call has no effect.
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

    /// Runs `job` on the loop's thread, after the jobs that were posted earlier. May be called from
    /// any thread. Returns false if the loop has ended. In that case the job never runs.
    @discardableResult
    package func post(_ job: @escaping @Sendable () -> Void) -> Bool {
        let wasEmpty: Bool? = mailbox.withLock { mailbox in
            guard !mailbox.isClosed else { return nil }
            mailbox.jobs.append(job)
            return mailbox.jobs.count == 1
        }
        guard let wasEmpty else { return false }
        // Only the first job in an empty mailbox wakes the loop. libwebsockets also wakes the loop
        // in this way at each accept.
        if wasEmpty { unsafe lws_cancel_service(parts.context) }
        return true
    }

    /// Runs `job` on the loop's thread with the loop's handler, if the handler still exists. The
    /// caller therefore needs no weak reference to the handler. A weak reference would make each
    /// retain of the handler more expensive. May be called from any thread.
    package func postToHandler(_ job: @escaping @Sendable (any TransportHandler) -> Void) {
        post { self.handler.map(job) }
    }

    /// Schedules a call of `TransportHandler.wakeupFired` at a time of `MonotonicClock`. Only the
    /// earliest time that was requested since the last call of `wakeupFired` counts.
    package func scheduleWakeup(at microseconds: Int64) {
        checkThread()
        if let wakeupAt, wakeupAt <= microseconds { return }
        wakeupAt = microseconds
        armWakeTimer(ifDueBefore: nextTickAt)
    }

    /// Arms the timer if the wakeup is due by `end`. If not, a liveness tick arms the timer. Each
    /// armed timer costs every message about forty instructions, because libwebsockets moves its
    /// own timer among the armed ones.
    func armWakeTimer(ifDueBefore end: Int64) {
        guard let wakeupAt, wakeupAt <= end else { return }
        wakeTimer.arm(at: wakeupAt)
    }

    /// Traps in debug builds if the caller is not on the loop's thread.
    @inline(__always)
    package func checkThread() {
        assert(isOnLoop, "a loop's connections were accessed on another thread")
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
        // `uv_run` returns after `stopServiceLoop` has stopped it.
        unsafe uv_run(parts.uvLoop, UV_RUN_DEFAULT)
        mailbox.withLock { mailbox in
            mailbox.isClosed = true
            mailbox.jobs = []
        }
        handler = nil
    }

    /// Runs the posted jobs. The loop calls this function on every wakeup, also on wakeups that the
    /// mailbox has not caused.
    func drainMailbox() {
        let jobs = mailbox.withLock { mailbox in
            defer { mailbox.jobs = [] }
            return mailbox.jobs
        }
        for job in jobs { job() }
    }

    func wakeTimerFired() {
        guard let at = wakeupAt else { return }
        guard at <= MonotonicClock.nowMicroseconds else { return wakeTimer.arm(at: at) }
        wakeupAt = nil
        handler?.wakeupFired()
    }

    private func end() {
        guard !isEnding else { return }
        isEnding = true
        closeListeners()
        for connection in connections.all { connection.terminate() }
        // After a second, the timer ends the thread even if libwebsockets has not released all
        // connections.
        endTimer.arm(inMicroseconds: connections.count == 0 ? 1 : 1_000_000)
    }

    /// Stops the service loop: `uv_run` returns, and `run` continues.
    func stopServiceLoop() {
        unsafe uv_stop(parts.uvLoop)
    }

    /// Ends the loop if the closed connection was the last one that `end` was waiting for.
    func stopServiceLoopIfEnded() {
        if isEnding, connections.count == 0 { endTimer.arm(inMicroseconds: 1) }
    }
}
