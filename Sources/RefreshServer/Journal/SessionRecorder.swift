internal import RefreshBroker
internal import RefreshProtocol

/// Stands between a session and its surroundings and writes down what passes. Only a session with a
/// journal has one.
///
/// The lines of an input and of all that came of it are handed to the journal together, when the session is
/// done with it.
final class SessionRecorder: Channel, LoadDispatching {
    private let channel: any Channel
    private let loads: any LoadDispatching
    private let journal: any JournalSink
    private var lines = ByteBuffer(capacity: roomKept)
    /// When the input at hand came.
    private var now: Instant
    /// What the channel answered last.
    private var wasWritable = true
    private var inputs = 0
    private var outputs = 0

    /// Lines beyond this many bytes give their room back when they are handed over.
    private static let roomKept = 1024

    /// `header` opens the journal.
    init(
        channel: any Channel, loads: any LoadDispatching, journal: any JournalSink,
        header: JournalHeader
    ) {
        self.channel = channel
        self.loads = loads
        self.journal = journal
        now = header.at
        write(.header(header))
        handOver()
    }

    /// Something enters the session. `handOver` must follow when the session is done with it.
    func enters(_ input: @autoclosure () -> JournalInput, at now: Instant) {
        guard journal.isOpen else { return }
        self.now = now
        write(.input(at: now, input()))
        inputs += 1
    }

    /// The session has handled what entered it.
    func handOver() {
        guard lines.count > 0 else { return }
        journal.append(lines.bytes)
        if lines.count > Self.roomKept {
            lines = ByteBuffer(capacity: Self.roomKept)
        } else {
            lines.removeAll()
        }
    }

    /// Nothing enters the session any more.
    func end() {
        if journal.isOpen { write(.end(inputs: inputs, outputs: outputs)) }
        handOver()
        journal.close()
    }

    private func leaves(_ output: @autoclosure () -> JournalOutput) {
        guard journal.isOpen else { return }
        write(.output(output()))
        outputs += 1
    }

    private func write(_ line: JournalLine) { line.write(to: &lines) }

    // MARK: Channel

    var isWritable: Bool {
        let isWritable = channel.isWritable
        if isWritable != wasWritable {
            wasWritable = isWritable
            enters(.channel(isWritable: isWritable), at: now)
        }
        return isWritable
    }

    func send(_ frame: inout ByteBuffer) {
        leaves(.frame(frame.bytes))
        channel.send(&frame)
    }

    func requestWritable() {
        leaves(.wait)
        channel.requestWritable()
    }

    /// Not written down: what comes of it is what is read later.
    func holdBack(_ isHeldBack: Bool) { channel.holdBack(isHeldBack) }

    func close(_ code: CloseCode, reason: String) {
        leaves(.close(code: code.rawValue, reason: reason))
        channel.close(code, reason: reason)
    }

    // MARK: LoadDispatching

    func start(_ ticket: LoadTicket, _ wish: LoadWish, deadlineMs: Int) {
        leaves(
            .start(
                ticket.load, view: ticket.view, JournalMask.masked(wish), deadlineMs: deadlineMs))
        loads.start(ticket, wish, deadlineMs: deadlineMs)
    }

    func cancel(_ ticket: LoadTicket, because reason: LeaveReason) {
        leaves(.cancel(ticket.load, view: ticket.view, because: reason))
        loads.cancel(ticket, because: reason)
    }
}
