internal import Glibc
package import RefreshProtocol

/// Messages for one thread, from any thread, in order.
///
/// A POSIX mutex and condition rather than `Synchronization.Mutex`, which has no condition; the
/// condition waits on the monotonic clock, so that setting the wall clock moves no deadline.
///
/// Unchecked because of the raw pointers: `messages` and `isClosed` are guarded by `mutex`; the
/// pointers themselves never change.
@safe package final class Mailbox<Message: Sendable>: @unchecked Sendable {
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let filled: UnsafeMutablePointer<pthread_cond_t>
    private var messages: [Message] = []
    private var isClosed = false

    package init() {
        unsafe mutex = .allocate(capacity: 1)
        unsafe filled = .allocate(capacity: 1)
        unsafe pthread_mutex_init(mutex, nil)
        var attributes = pthread_condattr_t()
        unsafe pthread_condattr_init(&attributes)
        unsafe pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        unsafe pthread_cond_init(filled, &attributes)
        unsafe pthread_condattr_destroy(&attributes)
    }

    deinit {
        unsafe pthread_cond_destroy(filled)
        unsafe pthread_mutex_destroy(mutex)
        unsafe filled.deallocate()
        unsafe mutex.deallocate()
    }

    /// Leaves a message; false if the mailbox is closed, and the message is dropped.
    @discardableResult
    package func post(_ message: Message) -> Bool {
        unsafe pthread_mutex_lock(mutex)
        let isTaken = !isClosed
        let wasEmpty = messages.isEmpty
        if isTaken { messages.append(message) }
        unsafe pthread_mutex_unlock(mutex)
        // After the unlocking: who is woken would only wait again.
        if isTaken, wasEmpty { unsafe pthread_cond_signal(filled) }
        return isTaken
    }

    /// All messages, after waiting for one, but not beyond `deadline`: then none.
    package func take(until deadline: Instant?) -> [Message] {
        var taken: [Message] = []
        take(into: &taken, until: deadline)
        return taken
    }

    /// So many messages a list may have room for that serves again. One that has grown beyond that,
    /// in a flood, is given back: what its growing costs is little beside its messages.
    private static var roomMax: Int { 4096 }

    /// The same, instead of what `taken` holds, whose room serves for the next messages.
    package func take(into taken: inout [Message], until deadline: Instant?) {
        taken.removeAll(keepingCapacity: taken.capacity <= Self.roomMax)
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        while messages.isEmpty {
            guard let deadline else {
                unsafe pthread_cond_wait(filled, mutex)
                continue
            }
            var time = timespec(
                tv_sec: Int(deadline.microseconds / 1_000_000),
                tv_nsec: Int(deadline.microseconds % 1_000_000) * 1000)
            let status = unsafe pthread_cond_timedwait(filled, mutex, &time)
            if status != 0 { break }
        }
        swap(&taken, &messages)
    }

    /// Takes what is left; nothing can be posted any more.
    package func close() -> [Message] {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        isClosed = true
        let rest = messages
        messages = []
        return rest
    }
}
