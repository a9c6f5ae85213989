import CLWS

/// One timer of an `EventLoop`, based on a timer of libuv. It belongs to the loop's thread.
///
/// The timers of libwebsockets are not used, because they spin for up to half a millisecond before
/// they are due. On libuv, libwebsockets rounds the remaining time to whole milliseconds, and polls
/// again immediately while the result is zero.
@safe
final class LoopTimer {
    private let timer = UnsafeMutablePointer<uv_timer_t>.allocate(capacity: 1)
    private let loop: UnsafeMutablePointer<uv_loop_t>
    /// The callback. Set it before the timer is first armed.
    var action: () -> Void = {}

    init(loop: UnsafeMutablePointer<uv_loop_t>) {
        unsafe self.loop = loop
        unsafe timer.initialize(to: uv_timer_t())
        unsafe uv_timer_init(loop, timer)
        unsafe timer.pointee.data = Unmanaged.passUnretained(self).toOpaque()
    }

    // The libuv loop stores the address of the timer, so the timer must exist until the loop ends.
    deinit {
        unsafe timer.deinitialize(count: 1)
        unsafe timer.deallocate()
    }

    /// Fires once at a time of `MonotonicClock`. The timer never fires earlier or within the call.
    /// Its resolution delays it by at most one millisecond. A second call replaces the time of the
    /// first.
    func arm(at microseconds: Int64) {
        // libuv counts whole milliseconds of the same clock.
        let due = MonotonicClock.rawMilliseconds(notBefore: microseconds)
        let delay = unsafe due - Int64(clamping: uv_now(loop))
        unsafe uv_timer_start(timer, timerCallback, UInt64(max(1, delay)), 0)
    }

    /// Fires once after `delay` microseconds.
    func arm(inMicroseconds delay: Int64) {
        arm(at: MonotonicClock.nowMicroseconds + delay)
    }

    /// Cancels the timer.
    func disarm() {
        unsafe uv_timer_stop(timer)
    }

    /// Handles the timer's callback.
    func fired() {
        action()
    }
}
