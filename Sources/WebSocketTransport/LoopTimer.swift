import CLWS

/// One timer of a loop, of its libuv loop. Belongs to the loop's thread.
///
/// The library has timers of its own, but on libuv these spin through up to half a millisecond
/// before they are due: it rounds what is left to whole milliseconds, and asks again at once while
/// that is none.
@safe
final class LoopTimer {
    private let timer = UnsafeMutablePointer<uv_timer_t>.allocate(capacity: 1)
    private let loop: UnsafeMutablePointer<uv_loop_t>
    /// What to do when it fires; set before it is first armed.
    var action: () -> Void = {}

    init(loop: UnsafeMutablePointer<uv_loop_t>) {
        unsafe self.loop = loop
        unsafe timer.initialize(to: uv_timer_t())
        unsafe uv_timer_init(loop, timer)
        unsafe timer.pointee.data = Unmanaged.passUnretained(self).toOpaque()
    }

    // Not called before the loop has ended: it knows the address.
    deinit {
        unsafe timer.deinitialize(count: 1)
        unsafe timer.deallocate()
    }

    /// Fires once at that time of `MonotonicClock`, never before, at most a millisecond later by
    /// itself, and not within the call; replaces an earlier time.
    func arm(at microseconds: Int64) {
        // libuv counts whole milliseconds of the same clock.
        let due = MonotonicClock.rawMilliseconds(notBefore: microseconds)
        let delay = unsafe due - Int64(clamping: uv_now(loop))
        unsafe uv_timer_start(timer, timerCallback, UInt64(max(1, delay)), 0)
    }

    /// The same, in that many microseconds.
    func arm(inMicroseconds delay: Int64) {
        arm(at: MonotonicClock.nowMicroseconds + delay)
    }

    /// Does not fire any more.
    func disarm() {
        unsafe uv_timer_stop(timer)
    }

    /// Called by the library.
    func fired() {
        action()
    }
}
