internal import CProcess
internal import Glibc
internal import RefreshProtocol

/// One process of an `exec` backend: its pipes, what waits for it, what it began to say. Belongs to
/// the backend's thread.
///
/// Its end is seen by a process descriptor, not by the end of its output: a child of its own may keep
/// the pipes. It is reaped last, so that until then its number, and that of its group, is its own.
final class ExecProcess {
    enum Phase: Equatable {
        /// It gets loads.
        case serving
        /// The pool has forgotten it; it has until then to end by itself.
        case leaving(until: Instant)
        /// Its group was killed.
        case killed
    }

    /// More than that never waits for a process that reads.
    static let outgoingBytesMax = 16_777_216

    let worker: WorkerID
    let process: pid_t
    let startedAt: Instant
    var phase = Phase.serving
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

    /// Kills its whole group. Only while it was not reaped.
    func kill() {
        phase = .killed
        Glibc.kill(-process, SIGKILL)
    }

    /// Its status, if it has ended; it is reaped then. What it left running in its group is killed before,
    /// while the group's number cannot be anybody else's.
    func reapIfEnded() -> Int32? {
        var info = unsafe siginfo_t()
        let isSeen = unsafe waitid(
            P_PID, id_t(process), &info, WEXITED | WNOHANG | WNOWAIT)
        guard isSeen == 0, unsafe info.si_signo == SIGCHLD else { return nil }
        Glibc.kill(-process, SIGKILL)
        var status: Int32 = 0
        while unsafe waitpid(process, &status, 0) < 0, errno == EINTR {}
        return status
    }

    func closeInput() { Self.close(&input) }
    func closeOutput() { Self.close(&output) }
    func closeErrors() { Self.close(&errors) }

    private static func close(_ descriptor: inout Int32) {
        if descriptor >= 0 { Glibc.close(descriptor) }
        descriptor = -1
    }
}
