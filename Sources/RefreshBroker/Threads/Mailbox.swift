internal import Glibc
package import RefreshProtocol

/// A queue of messages to one thread, posted from any thread, in order.
///
/// It uses a POSIX mutex and condition variable, because `Synchronization.Mutex` has no condition.
/// The condition uses the monotonic clock, so that setting the wall clock does not move deadlines.
///
/// Sendability is unchecked because of the raw pointers. `mutex` guards the other members; the
/// pointers themselves never change.
@safe package final class Mailbox<Message: Sendable>: @unchecked Sendable {
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let filled: UnsafeMutablePointer<pthread_cond_t>
    private var messages: [Message] = []
    private var isClosed = false
    private var wake: (@Sendable () -> Void)?

    /// `wake` is called when a message is posted to the empty mailbox, on the posting thread. It is
    /// for a thread that waits for something else than `receive`.
    package init(wake: (@Sendable () -> Void)? = nil) {
        self.wake = wake
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

    /// Posts a message. Returns false and drops the message if the mailbox is closed.
    @discardableResult
    package func post(_ message: Message) -> Bool {
        unsafe pthread_mutex_lock(mutex)
        let isTaken = !isClosed
        let wasEmpty = messages.isEmpty
        let wake = wake
        if isTaken { messages.append(message) }
        unsafe pthread_mutex_unlock(mutex)
        // The signal follows the unlocking. If the signal came first, the woken thread would have
        // to wait for the mutex.
        if isTaken, wasEmpty {
            if let wake { wake() } else { unsafe pthread_cond_signal(filled) }
        }
        return isTaken
    }

    /// Waits for at least one message, and returns all messages. If `deadline` passes first,
    /// returns an empty array.
    package func receive(until deadline: Instant?) -> [Message] {
        var taken: [Message] = []
        receive(into: &taken, until: deadline)
        return taken
    }

    /// Replaces the function `wake` of `init`. If there are messages, calls the new one at once.
    /// Only the receiving thread may call this.
    package func setWake(_ wake: (@Sendable () -> Void)?) {
        unsafe pthread_mutex_lock(mutex)
        self.wake = wake
        let isEmpty = messages.isEmpty
        unsafe pthread_mutex_unlock(mutex)
        if !isEmpty { wake?() }
    }

    /// The maximum capacity of a reused array, in messages. A larger array is released. The cost of
    /// growing it again is small compared with the cost of handling its messages.
    private static var capacityMax: Int { 4096 }

    /// Waits as `receive(until:)` does, and replaces the contents of `taken` with all messages. The
    /// storage of `taken` is reused for later messages.
    package func receive(into taken: inout [Message], until deadline: Instant?) {
        taken.removeAll(keepingCapacity: taken.capacity <= Self.capacityMax)
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

    /// Replaces the contents of `taken` with all messages, without waiting.
    package func remove(into taken: inout [Message]) {
        taken.removeAll(keepingCapacity: taken.capacity <= Self.capacityMax)
        unsafe pthread_mutex_lock(mutex)
        swap(&taken, &messages)
        unsafe pthread_mutex_unlock(mutex)
    }

    /// Closes the mailbox and returns the remaining messages. Later posts are rejected.
    package func close() -> [Message] {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        isClosed = true
        let rest = messages
        messages = []
        return rest
    }
}
