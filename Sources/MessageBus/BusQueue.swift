internal import Glibc

/// The queue of a connection's thread (`BusLoop`): messages to publish, new subscriptions, and what
/// callbacks of libnats report.
///
/// Messages are accepted only while the queue is open, that is, while the connection is connected.
/// Sendability is unchecked because of the raw pointers. `mutex` guards all other members; the
/// pointers themselves never change.
@safe final class BusQueue: @unchecked Sendable {
    enum Command: Sendable {
        case publish([UInt8], subject: String, BusEnvelope)
        /// A message was not accepted, because of its size in bytes.
        case refuse(count: Int, subject: String)
        case subscribe(BusSubscription)
        /// A connection has a problem, and continues.
        case fail(reason: String)
        /// The connection with this number in `NATSLinkTable` is lost.
        case lost(link: UInt, reason: String)
    }

    /// The maximum of the bytes of messages that wait. They wait only while the socket is full.
    static let bytesMax = 64 << 20

    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    /// Signals to the thread that there are commands, or that it must end.
    private let filled: UnsafeMutablePointer<pthread_cond_t>
    /// Signals that the thread has ended.
    private let ended: UnsafeMutablePointer<pthread_cond_t>
    private var commands: [Command] = []
    /// The bytes of the messages in `commands`, and of those that the thread is publishing.
    private var bytes = 0
    private var isOpen = false
    private var largestPayload = 0
    private var isClosing = false
    private var hasEnded = false

    init() {
        unsafe mutex = .allocate(capacity: 1)
        unsafe filled = .allocate(capacity: 1)
        unsafe ended = .allocate(capacity: 1)
        unsafe pthread_mutex_init(mutex, nil)
        var attributes = pthread_condattr_t()
        unsafe pthread_condattr_init(&attributes)
        unsafe pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        unsafe pthread_cond_init(filled, &attributes)
        unsafe pthread_cond_init(ended, &attributes)
        unsafe pthread_condattr_destroy(&attributes)
    }

    deinit {
        unsafe pthread_cond_destroy(filled)
        unsafe pthread_cond_destroy(ended)
        unsafe pthread_mutex_destroy(mutex)
        unsafe filled.deallocate()
        unsafe ended.deallocate()
        unsafe mutex.deallocate()
    }

    /// Accepts a message if the connection is connected, the message is not too large and not too
    /// many bytes wait.
    func publish(_ message: [UInt8], to subject: String, _ envelope: BusEnvelope) -> Bool {
        locked {
            guard isOpen else { return false }
            guard message.count <= largestPayload else {
                append(.refuse(count: message.count, subject: subject))
                return false
            }
            guard bytes == 0 || bytes + message.count <= Self.bytesMax else { return false }
            bytes += message.count
            append(.publish(message, subject: subject, envelope))
            return true
        }
    }

    /// The maximum size of a message; 0 before the first connection.
    var payloadMax: Int { locked { largestPayload } }

    func post(_ command: Command) {
        locked { append(command) }
    }

    /// Accepts messages from now on, unless the connection is already lost.
    func open(link: UInt, payloadMax: Int) {
        locked {
            largestPayload = payloadMax
            let isLost = commands.contains {
                if case .lost(link, _) = $0 { true } else { false }
            }
            isOpen = !isClosing && !isLost
        }
    }

    /// Reports that a connection is lost. From now on no messages are accepted, and those that wait
    /// are dropped.
    func lose(link: UInt, reason: String) {
        locked {
            isOpen = false
            commands.removeAll { if case .publish = $0 { true } else { false } }
            append(.lost(link: link, reason: reason))
        }
    }

    /// Waits for commands at most until `deadlineMs` (see `MonotonicClock`), and returns them. If
    /// the thread must end after these commands, `isClosing` is true, and the function does not
    /// wait.
    func receive(untilMs deadlineMs: Int64? = nil) -> (commands: [Command], isClosing: Bool) {
        locked {
            // The messages of the previous call have been published.
            bytes = 0
            while commands.isEmpty, !isClosing {
                guard unsafe wait(for: filled, untilMs: deadlineMs) else { break }
            }
            let received = commands
            commands = []
            for case .publish(let message, _, _) in received { bytes += message.count }
            return (received, isClosing)
        }
    }

    /// Requests the end of the thread. It publishes the accepted messages first.
    func close() {
        locked {
            isClosing = true
            isOpen = false
            unsafe pthread_cond_signal(filled)
        }
    }

    var mustClose: Bool { locked { isClosing } }

    /// Reports that the thread has ended.
    func end() {
        locked {
            hasEnded = true
            unsafe pthread_cond_broadcast(ended)
        }
    }

    /// Waits until the thread has ended, at most until `deadlineMs`. Returns whether it has.
    func waitForEnd(untilMs deadlineMs: Int64) -> Bool {
        locked {
            while !hasEnded {
                guard unsafe wait(for: ended, untilMs: deadlineMs) else { break }
            }
            return hasEnded
        }
    }

    private func append(_ command: Command) {
        commands.append(command)
        // The thread waits only while there are no commands.
        if commands.count == 1 { unsafe pthread_cond_signal(filled) }
    }

    /// Returns false if the deadline has passed.
    private func wait(
        for condition: UnsafeMutablePointer<pthread_cond_t>, untilMs deadlineMs: Int64?
    ) -> Bool {
        guard let deadlineMs else { return unsafe pthread_cond_wait(condition, mutex) == 0 }
        var time = timespec(
            tv_sec: Int(deadlineMs / 1000), tv_nsec: Int(deadlineMs % 1000) * 1_000_000)
        return unsafe pthread_cond_timedwait(condition, mutex, &time) == 0
    }

    private func locked<Result>(_ body: () -> Result) -> Result {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        return body()
    }
}

/// A subscription to a subject.
struct BusSubscription: Sendable {
    let subject: String
    /// The queue group; nil: the subscription receives all messages of its subject.
    let group: String?
}

/// The system's monotonic clock.
enum MonotonicClock {
    static var nowMs: Int64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }
}
