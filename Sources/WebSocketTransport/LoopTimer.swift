import CLWS

/// One timer of a loop, on the library's list of timers. Belongs to the loop's thread.
@safe
final class LoopTimer {
    private let timer = UnsafeMutablePointer<clws_timer>.allocate(capacity: 1)
    private let context: OpaquePointer
    /// What to do when it fires; set before it is first armed.
    var action: () -> Void = {}

    init(context: OpaquePointer) {
        unsafe self.context = context
        unsafe timer.initialize(to: clws_timer())
        unsafe timer.pointee.owner = Unmanaged.passUnretained(self).toOpaque()
    }

    // Not called before the loop has ended or this timer was disarmed: the list holds its address.
    deinit {
        unsafe timer.deinitialize(count: 1)
        unsafe timer.deallocate()
    }

    /// Fires once in that many microseconds, at least one; replaces an earlier time.
    func arm(inMicroseconds delay: Int64) {
        unsafe lws_sul_schedule(context, 0, &timer.pointee.sul, timerCallback, max(1, delay))
    }

    /// Does not fire any more.
    func disarm() {
        unsafe lws_sul_cancel(&timer.pointee.sul)
    }

    /// Called by the library.
    func fired() {
        action()
    }
}
