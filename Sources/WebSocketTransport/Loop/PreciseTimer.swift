import CLWS
import Glibc

/// A timer of a loop with microsecond resolution, whereas `LoopTimer` counts whole milliseconds. It
/// uses a timer of the kernel (timerfd), which the loop watches as a file. Each use costs two
/// system calls. The object belongs to the loop's thread.
@safe
final class PreciseTimer {
    private let poll = UnsafeMutablePointer<uv_poll_t>.allocate(capacity: 1)
    private let file: Int32
    /// The callback. Set it before the timer is first armed.
    var action: () -> Void = {}

    /// Creates the timer. Throws `loopFailed` if no descriptors are left.
    init(loop: UnsafeMutablePointer<uv_loop_t>) throws(TransportError) {
        file = timerfd_create(CLOCK_MONOTONIC, Int32(TFD_NONBLOCK | TFD_CLOEXEC))
        guard file >= 0 else {
            unsafe poll.deallocate()
            throw .loopFailed(part: "timer", detail: "timerfd_create: error \(errno)")
        }
        unsafe poll.initialize(to: uv_poll_t())
        unsafe uv_poll_init(loop, poll, file)
        unsafe poll.pointee.data = Unmanaged.passUnretained(self).toOpaque()
        unsafe uv_poll_start(poll, Int32(UV_READABLE.rawValue), pollCallback)
    }

    // The libuv loop stores the address of `poll`, so this object must exist until the loop ends.
    deinit {
        close(file)
        unsafe poll.deinitialize(count: 1)
        unsafe poll.deallocate()
    }

    /// Fires once at a time of `MonotonicClock`, or immediately if that time has passed. A second
    /// call replaces the time of the first.
    func arm(at microseconds: Int64) {
        let delay = max(1, microseconds - MonotonicClock.nowMicroseconds)
        var time = itimerspec()
        time.it_value.tv_sec = Int(delay / 1_000_000)
        time.it_value.tv_nsec = Int(delay % 1_000_000) * 1_000
        _ = unsafe timerfd_settime(file, 0, &time, nil)
    }

    /// Handles the timer's callback.
    func fired() {
        var expirations: UInt64 = 0
        guard unsafe read(file, &expirations, 8) == 8 else { return }
        action()
    }
}
