internal import CNATS
internal import Glibc

/// What the threads of a connection pass to one another: messages to publish, events, the socket
/// of the current link, and the commands for the connection's own thread (`BusLoop`).
///
/// Messages are accepted only while the queue is open, that is, while the connection is connected.
/// Sendability is unchecked because of the raw pointers. `mutex` guards all other members; the
/// pointers to it and to the conditions never change.
@safe final class BusQueue: @unchecked Sendable {
    /// The maximum of the bytes of messages that wait. They wait only while the socket is full.
    static let bytesMax = 64 << 20

    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    /// Signals to the connection's own thread that there are commands, or that it must end.
    private let filled: UnsafeMutablePointer<pthread_cond_t>
    private var commands: [Command] = []
    /// The messages that wait for libnats: first those of `nextMessages`, from its end on.
    private var nextMessages: [Message] = []
    private var messages: [Message] = []
    /// The bytes of these messages, and of those that wait in libnats (`Message.size`).
    private var queuedBytes = 0
    private var unwrittenBytes = 0
    private var events: [BusEvent] = []
    /// The bytes of the received messages in `events`, with `messageBytes` for each of them.
    private var receivedBytes = 0
    private var socket: Socket?
    /// The last attempt to connect that has ended without being abandoned.
    private var endedAttempt: UInt = 0
    /// The link for which messages are accepted, unless the thread must end; 0 if there is none.
    private var openLink: UInt = 0
    private var largestPayload = 0
    private var flush = FlushWatch()
    private var isServed = false
    private var isClosing = false
    private var hasEnded = false
    private var servingWait = ServingWait()
    /// An eventfd that ends this wait.
    let wakeup: Int32

    /// Returns nil if the system refuses a descriptor.
    init?() {
        wakeup = cnats_eventfd()
        unsafe mutex = .allocate(capacity: 1)
        unsafe filled = .allocate(capacity: 1)
        unsafe pthread_mutex_init(mutex, nil)
        unsafe pthread_cond_init(filled, nil)
        guard wakeup >= 0 else { return nil }
    }

    deinit {
        if wakeup >= 0 { Glibc.close(wakeup) }
        unsafe pthread_cond_destroy(filled)
        unsafe pthread_mutex_destroy(mutex)
        unsafe filled.deallocate()
        unsafe mutex.deallocate()
    }

    private func locked<Result>(_ body: () -> Result) -> Result {
        unsafe pthread_mutex_lock(mutex)
        let result = body()
        let signals = servingWait.removeSignal()
        unsafe pthread_mutex_unlock(mutex)
        // The signal follows the unlocking. Otherwise, the woken thread would wait for the mutex.
        if signals {
            var one: UInt64 = 1
            _ = unsafe write(wakeup, &one, MemoryLayout<UInt64>.size)
        }
        return result
    }
}

// MARK: - Any thread

extension BusQueue {
    /// Accepts a message if the connection is connected, the message is not too large and not too
    /// many bytes wait.
    func publish(_ message: [UInt8], to subject: String, _ envelope: BusEnvelope) -> Bool {
        locked {
            guard openLink != 0, !isClosing else { return false }
            // For a server, the headers are a part of the message.
            let payload = message.count + envelope.headerBytes
            guard payload <= largestPayload else {
                let reason =
                    "The message of \(payload) bytes to \(subject) is above the limit of "
                    + "the server, \(largestPayload) bytes."
                append(.failed(reason: reason))
                return false
            }
            let queued = Message(bytes: message, subject: subject, envelope: envelope)
            let waiting = queuedBytes + unwrittenBytes
            guard waiting == 0 || waiting + queued.size <= Self.bytesMax else { return false }
            queuedBytes += queued.size
            messages.append(queued)
            servingWait.signal()
            return true
        }
    }

    /// The maximum size of a message; 0 before the first connection.
    var payloadMax: Int { locked { largestPayload } }

    func report(_ event: BusEvent) { locked { append(event) } }

    /// Reports a message that a thread of libnats has received. If too many bytes of such messages
    /// wait, drops it, and reports this.
    func report(received event: BusEvent, count: Int) {
        locked {
            let size = count + Self.messageBytes
            guard receivedBytes + size <= Self.bytesMax else {
                if events.last != Self.dropped { append(Self.dropped) }
                return
            }
            receivedBytes += size
            append(event)
        }
    }

    private static let dropped = BusEvent.failed(
        reason: "Received messages were dropped, because too many wait to be handled.")

    func post(_ command: Command) { locked { append(command) } }

    /// Ends the waiting of the thread that serves the connection, now or when it next waits.
    func wake() {
        locked {
            servingWait.isRequestedToEnd = true
            servingWait.signal()
        }
    }

    /// Forgets the calls of `wake` so far, because the thread handles what they were for before it
    /// waits.
    func clearWake() { locked { servingWait.isRequestedToEnd = false } }

    /// Requests the end of the connection. The accepted messages are published first.
    func close() {
        locked {
            isClosing = true
            wakeWithinLock()
            unsafe pthread_cond_signal(filled)
        }
    }

    var mustClose: Bool { locked { isClosing } }

    /// Whether the connection's own thread has ended.
    var isEnded: Bool { locked { hasEnded } }

    private func append(_ event: BusEvent) {
        events.append(event)
        wakeWithinLock()
    }

    private func append(_ command: Command) {
        commands.append(command)
        // The thread waits only while there are no commands.
        if commands.count == 1 { unsafe pthread_cond_signal(filled) }
    }

    private func wakeWithinLock() {
        servingWait.mustEnd = true
        servingWait.signal()
    }
}

// MARK: - The threads of libnats and of attempts to connect

extension BusQueue {
    /// The attempt to connect with this number has ended.
    func endAttempt(_ link: UInt) {
        locked {
            endedAttempt = link
            unsafe pthread_cond_signal(filled)
        }
    }

    /// Reports that a connection is lost. From now on no messages are accepted for it, and those
    /// that wait are dropped. The loss of an earlier connection changes nothing.
    func lose(link: UInt, reason: String) {
        locked {
            if openLink == link {
                openLink = 0
                messages = []
                nextMessages = []
                queuedBytes = 0
            }
            append(.lost(link: link, reason: reason))
        }
    }

    /// The socket of a link is served from now on.
    func attach(link: UInt, connection: OpaquePointer, _ attached: NATSSocket) {
        locked {
            socket = unsafe Socket(link: link, connection: connection, socket: attached)
            servingWait.signal()
        }
    }

    /// The socket of a link is not served any more.
    func detach(link: UInt) {
        locked {
            guard socket?.link == link else { return }
            socket = nil
            servingWait.signal()
        }
    }

    /// libnats waits for the socket of a link to be readable or writable, or does not any more.
    func watch(link: UInt, _ member: WritableKeyPath<Socket, Bool>, _ isWatched: Bool) {
        locked {
            guard socket?.link == link else { return }
            socket?[keyPath: member] = isWatched
            if isWatched { servingWait.signal() }
        }
    }
}

// MARK: - The connection's own thread

extension BusQueue {
    /// Accepts messages from now on, unless the connection is already lost.
    func open(link: UInt, payloadMax: Int) {
        locked {
            largestPayload = payloadMax
            unwrittenBytes = 0
            let isLost = commands.contains {
                if case .lost(link, _) = $0 { true } else { false }
            }
            openLink = isLost ? 0 : link
        }
    }

    /// libnats waits for the server's answer to a ping, for `timeoutMs`.
    func beginFlush(link: UInt, _ timeoutMs: Int64, at nowMs: Int64) {
        locked {
            flush.begin(link: link, timeoutMs, at: nowMs)
            // The other thread may wait for longer.
            servingWait.signal()
        }
    }

    func endFlush() { locked { flush.end() } }

    /// The socket of a link; nil if it is not served.
    func socket(of link: UInt) -> NATSSocket? {
        locked { socket?.link == link ? socket?.socket : nil }
    }

    /// The messages of a subscription are received from now on.
    func add(_ subscription: OpaquePointer, link: UInt) {
        locked {
            guard socket?.link == link else { return }
            unsafe socket?.subscriptions.append(subscription)
            wakeWithinLock()
        }
    }

    /// Waits until a thread serves the connection, or the connection must end.
    func waitForService() {
        locked {
            while !isServed, !isClosing { unsafe pthread_cond_wait(filled, mutex) }
        }
    }

    /// Waits until an attempt to connect has ended, but at most until `deadlineMs` (see
    /// `MonotonicClock`), or until the thread must end.
    func waitForAttempt(_ link: UInt, untilMs deadlineMs: Int64) {
        locked {
            while endedAttempt != link, !isClosing {
                guard unsafe wait(for: filled, untilMs: deadlineMs) else { break }
            }
        }
    }

    /// Waits for commands at most until `deadlineMs` (see `MonotonicClock`), and returns them. If
    /// the thread must end after these commands, `isClosing` is true, and the function does not
    /// wait.
    func receive(untilMs deadlineMs: Int64? = nil) -> (commands: [Command], isClosing: Bool) {
        locked {
            while commands.isEmpty, !isClosing {
                guard unsafe wait(for: filled, untilMs: deadlineMs) else { break }
            }
            let received = commands
            commands = []
            return (received, isClosing)
        }
    }

    /// Whether all accepted messages have been written to the socket.
    var isWritten: Bool { locked { queuedBytes == 0 && unwrittenBytes == 0 } }

    /// Reports that the thread has ended.
    func end() {
        locked {
            hasEnded = true
            wakeWithinLock()
        }
    }

    /// Returns false if the deadline has passed.
    private func wait(
        for condition: UnsafeMutablePointer<pthread_cond_t>, untilMs deadlineMs: Int64?
    ) -> Bool {
        guard let deadlineMs else { return unsafe pthread_cond_wait(condition, mutex) == 0 }
        var time = timespec(
            tv_sec: Int(deadlineMs / 1000), tv_nsec: Int(deadlineMs % 1000) * 1_000_000)
        return unsafe cnats_wait_until(condition, mutex, &time) == 0
    }
}

// MARK: - The thread that serves the connection

extension BusQueue {
    /// The current socket; nil without a connection.
    var currentSocket: Socket? { locked { socket } }

    /// Removes messages that wait, in their order: as many as have `bytesMax` bytes together, but
    /// at least one. Their bytes count until `releaseWritten`.
    func removeMessages(bytesMax: Int) -> [Message] {
        locked {
            var removed: [Message] = []
            var bytes = 0
            if nextMessages.isEmpty, queuedBytes <= bytesMax {
                bytes = queuedBytes
                swap(&removed, &messages)
            }
            while bytes < queuedBytes {
                if nextMessages.isEmpty {
                    nextMessages = messages.reversed()
                    messages = []
                }
                guard let size = nextMessages.last?.size,
                    removed.isEmpty || bytes + size <= bytesMax
                else { break }
                bytes += size
                removed.append(nextMessages.removeLast())
            }
            queuedBytes -= bytes
            unwrittenBytes += bytes
            return removed
        }
    }

    /// libnats has written, as far as the socket takes it. It waits for the socket as long as
    /// something is left. If nothing is left, its bytes do not count any more. Returns whether this
    /// is so.
    func releaseWritten() -> Bool {
        locked {
            guard socket?.writes != true else { return false }
            unwrittenBytes = 0
            return true
        }
    }

    /// Ends the connection whose wait for the server lasts too long. The wait cannot end by itself
    /// if the clock of the day was set back. `restarts`: the wait may have begun only now, or its
    /// answer may be there.
    func endOverdueFlush(at nowMs: Int64, restarts: Bool) {
        let overdue = locked { () -> (link: UInt, socket: NATSSocket)? in
            guard let link = flush.removeOverdue(at: nowMs, restarts: restarts),
                let socket, socket.link == link
            else { return nil }
            return (link, socket.socket)
        }
        guard let overdue else { return }
        lose(
            link: overdue.link,
            reason: "The server did not answer, and the clock of this machine was set back.")
        overdue.socket.shutDown()
    }

    /// Begins to wait. Returns the socket, whether the thread may wait, and the time at which
    /// `endOverdueFlush` is needed. Messages are no reason not to wait if the socket is full.
    func beginWaiting(isFull: Bool) -> (socket: Socket?, mayWait: Bool, overdueMs: Int64?) {
        locked {
            if !isServed {
                isServed = true
                unsafe pthread_cond_signal(filled)
            }
            servingWait.begin(unless: !events.isEmpty || (queuedBytes > 0 && !isFull))
            return (socket, servingWait.isWaiting, flush.overdueMs)
        }
    }

    /// Ends the waiting, and appends the events that have occurred.
    func endWaiting(into received: inout [BusEvent]) {
        locked {
            servingWait = ServingWait()
            received += events
            events.removeAll(keepingCapacity: true)
            receivedBytes = 0
        }
    }
}
