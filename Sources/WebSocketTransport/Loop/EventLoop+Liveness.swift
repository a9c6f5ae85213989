import CLWS
import Glibc

// Which peers still live. One sweep over a part of the table at each tick, instead of a timer of
// the library for each connection: those are kept in one sorted list, and every message would walk
// it.
extension EventLoop {
    /// In how many ticks the whole table is looked at.
    private static let sweepParts = 5

    private var tickMs: Int { max(5, configuration.pingAfterMs / 25) }

    /// When the loop will tick next, at the latest; it does not look at anything before when it
    /// does not tick.
    var nextTickAt: Int64 {
        isLivenessTicking ? tickedAt + 2 * Int64(tickMs) * 1_000 : .max
    }

    /// Has the library look at the timeouts that it was given just now. On libuv it does so by
    /// itself only after something came, or when an earlier one is due: in a quiet loop a
    /// connection that is cut would stand until then.
    func processTimeouts() {
        unsafe lws_cancel_service(parts.context)
    }

    /// Cuts the connection off soon, or with `closeCondemnedConnections`.
    func scheduleTermination(of connection: Connection) {
        connection.terminate()
        condemned.append(connection)
    }

    /// Ends those that are being cut off with half a frame: what the library keeps of it is free
    /// when this returns. Loop thread only, in a job.
    package func closeCondemnedConnections() {
        checkThread()
        let connections = condemned
        condemned = []
        for connection in connections { connection.terminateNow() }
    }

    /// Begins to tick while there are connections.
    func startLivenessTicks() {
        guard !isLivenessTicking else { return }
        isLivenessTicking = true
        tickedAt = MonotonicClock.nowMicroseconds
        livenessTimer.arm(inMicroseconds: Int64(tickMs) * 1_000)
    }

    func livenessTimerFired() {
        checkThread()
        updateCoarseClock()
        for connection in connections.nextPart(of: Self.sweepParts) {
            unsafe connection.checkLiveness(nowMs: coarseMs, pingBuffer: pingBuffer)
        }
        handler?.ticked()
        guard connections.count > 0 else {
            isLivenessTicking = false
            armWakeTimer(ifDueBefore: .max)
            return
        }
        armWakeTimer(ifDueBefore: nextTickAt)
        livenessTimer.arm(inMicroseconds: Int64(tickMs) * 1_000)
    }

    /// The clock of liveness counts the time in which the loop could have heard a peer: not that of
    /// a stopped process or machine, after which everybody would seem to have been silent.
    private func updateCoarseClock() {
        let now = MonotonicClock.nowMicroseconds
        let elapsedMs = min((now - tickedAt) / 1_000, Int64(tickMs) * 4)
        coarseMs &+= UInt32(max(0, elapsedMs))
        tickedAt = now
    }
}

// Ends without a close frame.
extension Connection {
    /// Cuts it off without a word, soon.
    package func terminate() {
        guard phase != .gone else { return }
        unsafe lws_set_timeout(wsi, PENDING_TIMEOUT_KILLED_BY_PARENT, LWS_TO_KILL_ASYNC)
        unsafe loop.processTimeouts()
    }

    /// The same before this returns; not within its own callbacks. The library would try for five
    /// seconds to send the rest of a frame: the write shows it that the socket takes nothing more.
    func terminateNow() {
        guard phase != .gone else { return }
        shutdown(unsafe lws_get_socket_fd(wsi), Int32(SHUT_RDWR))
        _ = unsafe lws_write(wsi, loop.pingBuffer, 4, LWS_WRITE_PING)
        unsafe lws_set_timeout(wsi, PENDING_TIMEOUT_KILLED_BY_PARENT, LWS_TO_KILL_SYNC)
        unsafe loop.processTimeouts()
    }
}
