internal import CProcess
internal import Glibc
internal import RefreshProtocol

/// One process of an `exec` backend, with its pipes, its queued input and its unfinished output.
/// Only the backend's thread uses it.
///
/// A process descriptor shows the end of the process. The end of its output would not be enough,
/// because a child of the process may keep the pipes open. The process is reaped only after its
/// process group was killed. Until it is reaped, its process id and its process group id cannot be
/// reused.
final class ExecProcess {
    enum Phase: Equatable {
        /// The process receives loads.
        case serving
        /// The `WorkerPool` has removed the process. The process may end on its own until this
        /// time.
        case terminating(until: Instant)
        /// The process and its process group were killed.
        case killed
    }

    /// The end of a process.
    enum End: Equatable {
        /// The status from `waitpid`.
        case status(Int32)
        /// The kernel or other code reaped the process, so its status is unknown.
        case unknown
    }

    /// The maximum number of bytes that are queued for a process. If a process reads its input, its
    /// queue never becomes that long.
    static let outgoingBytesMax = 16_777_216

    let worker: WorkerID
    let process: pid_t
    let startedAt: Instant
    var phase = Phase.serving
    /// Whether the daemon has killed the process because it did not end a cancelled load in time.
    var isOverdue = false
    /// Whether the daemon has sent `bye` to the process, or has killed the process because of an
    /// action `dismiss`.
    var isExpectedToEnd = false
    var lines: LineSplitter
    var errorLines = ErrorLines()

    private(set) var input: Int32
    private(set) var output: Int32
    private(set) var errors: Int32
    /// The process descriptor; -1 if the kernel does not support it.
    let processDescriptor: Int32
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
        processDescriptor = cprocess_open(started.process)
        lines = LineSplitter(lineBytesMax: lineBytesMax)
    }

    deinit {
        closeInput()
        closeOutput()
        closeErrors()
        if processDescriptor >= 0 { Glibc.close(processDescriptor) }
    }

    /// Whether queued data waits for the process to read it.
    var hasOutgoing: Bool { sent < outgoing.count }

    /// Queues a line. If the process does not read its input and the queue would become too long,
    /// returns false.
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

    /// Writes as much as the pipe accepts. Returns false if the process has closed its end of the
    /// pipe.
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
            // This releases the sent part of a long queue.
            if sent > 65_536 {
                outgoing.removeFirst(sent)
                sent = 0
            }
        }
        if closesInput { closeInput() }
        return true
    }

    /// Closes standard input when all queued data is written.
    func closeInputWhenFlushed() {
        closesInput = true
        if !hasOutgoing { closeInput() }
    }

    /// Kills the process and its whole group, unless the process has been reaped.
    func kill() {
        phase = .killed
        if exitState() != .gone { killAll() }
    }

    /// Reaps the process if it has ended, and returns how it ended. Before that, it kills the rest
    /// of the process group, because the group id cannot be reused until the process is reaped.
    func reapIfEnded() -> End? {
        switch exitState() {
        case .running: return nil
        case .gone: return .unknown
        case .ended: break
        }
        killAll()
        var status: Int32 = 0
        while unsafe waitpid(process, &status, 0) < 0 {
            if errno != EINTR { return .unknown }
        }
        return .status(status)
    }

    /// The state of the process according to the kernel.
    private enum ExitState {
        case running
        /// The process ended, and its process id is still reserved.
        case ended
        /// The kernel or other code reaped the process. The kernel does this if the daemon ignores
        /// SIGCHLD. The process id may have been reused.
        case gone
    }

    private func exitState() -> ExitState {
        var info = unsafe siginfo_t()
        let status = unsafe waitid(
            P_PID, id_t(process), &info, WEXITED | WNOHANG | WNOWAIT)
        guard status == 0 else { return errno == ECHILD ? .gone : .running }
        return unsafe info.si_signo == SIGCHLD ? .ended : .running
    }

    /// Kills the process group that the process was started in, and the process itself, which may
    /// have moved to another group.
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
