internal import CProcess
internal import Glibc
internal import RefreshProtocol

/// One process of an `exec` backend: its pipes, what waits for it, what it began to say. Belongs to
/// the backend's thread.
///
/// Its end is seen by a process descriptor, not by the end of its output: a child of its own may
/// keep the pipes. It is reaped last, so that until then its number, and that of its group, is its
/// own.
final class ExecProcess {
    enum Phase: Equatable {
        /// It gets loads.
        case serving
        /// The pool has forgotten it; it has until then to end by itself.
        case leaving(until: Instant)
        /// It and its group were killed.
        case killed
    }

    /// How a process ended.
    enum End: Equatable {
        /// As `waitpid` has it.
        case status(Int32)
        /// Somebody else has reaped it, and knows.
        case unseen
    }

    /// More than that never waits for a process that reads.
    static let outgoingBytesMax = 16_777_216

    let worker: WorkerID
    let process: pid_t
    let startedAt: Instant
    var phase = Phase.serving
    /// Whether it was sent away for a load that it did not end in time.
    var isOverdue = false
    /// It was told to end, or sent away.
    var isWantedToEnd = false
    var lines: LineSplitter
    var errorLines = ErrorLines()

    private(set) var input: Int32
    private(set) var output: Int32
    private(set) var errors: Int32
    /// -1 where the kernel has none.
    let ending: Int32
    private var outgoing: [UInt8] = []
    private var sent = 0
    private var closesInput = false

    init(_ started: ExecCommand.Started, as worker: WorkerID, lineBytesMax: Int, now: Instant) {
        self.worker = worker
        process = started.process
        startedAt = now
        input = started.input
        output = started.output
        errors = started.errors
        ending = cprocess_open(started.process)
        lines = LineSplitter(lineBytesMax: lineBytesMax)
    }

    deinit {
        closeInput()
        closeOutput()
        closeErrors()
        if ending >= 0 { Glibc.close(ending) }
    }

    /// Whether something waits until the process reads.
    var hasOutgoing: Bool { sent < outgoing.count }

    /// Queues a line. False if the process has long not read what was sent to it.
    func enqueue(_ line: [UInt8]) -> Bool {
        guard outgoing.count - sent + line.count < Self.outgoingBytesMax else { return false }
        if sent == outgoing.count {
            outgoing.removeAll(keepingCapacity: outgoing.capacity <= 65_536)
            sent = 0
        }
        outgoing.append(contentsOf: line)
        outgoing.append(UInt8(ascii: "\n"))
        return true
    }

    /// Writes what the pipe takes. False if nobody reads any more.
    func flush() -> Bool {
        while input >= 0, hasOutgoing {
            let count = unsafe outgoing.withUnsafeBytes { all in
                unsafe write(input, all.baseAddress.map { unsafe $0 + sent }, all.count - sent)
            }
            guard count > 0 else {
                if errno == EINTR { continue }
                return errno == EAGAIN
            }
            sent += count
            // What was sent of a long queue is not kept for the sake of its rest.
            if sent > 65_536 {
                outgoing.removeFirst(sent)
                sent = 0
            }
        }
        if closesInput { closeInput() }
        return true
    }

    /// Closes standard input behind what waits.
    func closeInputWhenFlushed() {
        closesInput = true
        if !hasOutgoing { closeInput() }
    }

    /// Kills it and its whole group, unless it has been reaped.
    func kill() {
        phase = .killed
        if look() != .gone { killAll() }
    }

    /// How it ended, if it has; it is reaped then. What it left running in its group is killed
    /// before, while the group's number cannot be anybody else's.
    func reapIfEnded() -> End? {
        switch look() {
        case .running: return nil
        case .gone: return .unseen
        case .ended: break
        }
        killAll()
        var status: Int32 = 0
        while unsafe waitpid(process, &status, 0) < 0 {
            if errno != EINTR { return .unseen }
        }
        return .status(status)
    }

    /// Where it is, by what the kernel keeps of it.
    private enum Whereabouts {
        case running
        /// Its number is still its own.
        case ended
        /// It was reaped, but not here: a daemon whose SIGCHLD is ignored has that done by the
        /// kernel. Its number may be anybody's.
        case gone
    }

    private func look() -> Whereabouts {
        var info = unsafe siginfo_t()
        let status = unsafe waitid(
            P_PID, id_t(process), &info, WEXITED | WNOHANG | WNOWAIT)
        guard status == 0 else { return errno == ECHILD ? .gone : .running }
        return unsafe info.si_signo == SIGCHLD ? .ended : .running
    }

    /// The process by itself too: its group is what it was started in, and that may be another one
    /// now.
    private func killAll() {
        Glibc.kill(-process, SIGKILL)
        Glibc.kill(process, SIGKILL)
    }

    func closeInput() { Self.close(&input) }
    func closeOutput() { Self.close(&output) }
    func closeErrors() { Self.close(&errors) }

    private static func close(_ descriptor: inout Int32) {
        if descriptor >= 0 { Glibc.close(descriptor) }
        descriptor = -1
    }
}
