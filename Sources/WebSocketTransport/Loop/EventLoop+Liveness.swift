import CLWS
import Glibc

// The liveness checks of the peers. Each tick checks a part of the table of connections. One
// libwebsockets timer for each connection would be slower, because libwebsockets keeps its timers
// in one sorted list, which each message would traverse.
extension EventLoop {
    /// The number of ticks in which the whole table is checked.
    private static let sweepParts = 5

    private var tickMs: Int { max(5, configuration.pingAfterMs / 25) }

    /// The time before which the loop's next tick occurs; the largest `Int64` without ticks.
    var nextTickAt: Int64 {
        isLivenessTicking ? tickedAt + 2 * Int64(tickMs) * 1_000 : .max
    }

    /// Makes libwebsockets process the timeouts that were just set. On libuv, libwebsockets
    /// processes timeouts only after an event, or when another timeout that was set earlier is due.
    /// Without this call, a loop without events would end a cut connection too late.
    func processTimeouts() {
        unsafe lws_cancel_service(parts.context)
    }

    /// Cuts the connection soon, and at the latest in the next call of `closeCondemnedConnections`.
    func scheduleTermination(of connection: Connection) {
        connection.terminate()
        condemned.append(connection)
    }

    /// Ends at once the connections of `condemned`, which are being cut while a frame is partly
    /// sent. When this function returns, libwebsockets has freed its copies of these frames. Loop
    /// thread only, in a job.
    package func closeCondemnedConnections() {
        checkThread()
        let connections = condemned
        condemned = []
        for connection in connections { connection.terminateNow() }
    }

    /// Starts the ticks, which continue while there are connections.
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

    /// Advances the liveness clock by the time in which the loop could receive data. The time in
    /// which the process or machine was stopped does not count. If it did, every peer would seem
    /// silent after the stop.
    private func updateCoarseClock() {
        let now = MonotonicClock.nowMicroseconds
        let elapsedMs = min((now - tickedAt) / 1_000, Int64(tickMs) * 4)
        coarseMs &+= UInt32(max(0, elapsedMs))
        tickedAt = now
    }
}

// Methods that end a connection without a close frame.
extension Connection {
    /// Cuts the connection soon, without a close frame.
    package func terminate() {
        guard phase != .gone else { return }
        unsafe lws_set_timeout(wsi, PENDING_TIMEOUT_KILLED_BY_PARENT, LWS_TO_KILL_ASYNC)
        unsafe loop.processTimeouts()
    }

    /// Cuts the connection before this method returns. Must not be called within the connection's
    /// own callbacks. The write after `shutdown` fails. Without this failure, libwebsockets would
    /// try for five seconds to send the rest of a frame.
    func terminateNow() {
        guard phase != .gone else { return }
        shutdown(unsafe lws_get_socket_fd(wsi), Int32(SHUT_RDWR))
        _ = unsafe lws_write(wsi, loop.pingBuffer, 4, LWS_WRITE_PING)
        unsafe lws_set_timeout(wsi, PENDING_TIMEOUT_KILLED_BY_PARENT, LWS_TO_KILL_SYNC)
        unsafe loop.processTimeouts()
    }
}
