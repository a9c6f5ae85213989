internal import CProcess
internal import Glibc
internal import RefreshBroker
internal import RefreshProtocol

/// The main loop of an `exec` backend's thread. It keeps the processes running and transfers lines
/// between them and the `WorkerPool`, which assigns loads to processes. It waits in `poll` for the
/// next event.
///
///     inbox -> LoadDispatch -> actions -> ExecProcess -> pipe
///     pipe -> LineSplitter -> WorkerMessageReader -> LoadDispatch -> waiting task
@safe struct ExecLoop {
    /// A slot for one process.
    private enum Slot {
        /// The slot is empty, and a process is started in it at this time at the earliest.
        case waitingToStart(until: Instant)
        case running(ExecProcess)
    }

    private let options: ExecOptions
    private let command: ExecCommand
    private let inbox: ExecInbox
    private let published: PublishedWorkerCounters
    private let log: @Sendable (ExecEvent) -> Void
    private var dispatch: LoadDispatch
    private var actions: [LoadDispatch.Action] = []
    private var slots: [Slot]
    private var pauses: [RestartPause]
    private var lastWorker: UInt64 = 0
    private var isStopping = false
    private let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 16)

    /// The maximum number of bytes that are read from one process before the other processes are
    /// served. A pipe cannot contain more bytes than this, so after the end of a process, the rest
    /// of its output is read completely.
    private static let turnBytesMax = 1_048_576
    /// The interval, in milliseconds, at which the loop checks whether a process without a process
    /// descriptor has ended.
    private static let pollIntervalMs: Int32 = 100
    /// The time in milliseconds for which the daemon's shutdown waits for killed processes.
    private static let killedMs = 2000.0

    init(
        _ options: ExecOptions, _ dispatch: LoadDispatch, inbox: ExecInbox,
        published: PublishedWorkerCounters, log: @escaping @Sendable (ExecEvent) -> Void
    ) {
        self.options = options
        self.dispatch = dispatch
        self.inbox = inbox
        self.published = published
        self.log = log
        command = ExecCommand(options)
        slots = Array(repeating: .waitingToStart(until: .origin), count: options.processes)
        pauses = Array(
            repeating: RestartPause(
                baseMs: options.restartBaseMs, capMs: options.restartCapMs),
            count: options.processes)
    }

    /// Runs until `stop` is received and all processes have ended. After `stop`, it runs for at
    /// most `graceMs` plus `killedMs`. When it returns, every load has ended.
    mutating func run() {
        Self.blockBrokenPipes()
        var giveUpAt = Instant.never
        while true {
            let posts = inbox.drain()
            let now = MonotonicTime.now
            for post in posts { dispatch.handle(post, at: now, into: &actions) }
            if case .stop? = posts.last(where: { if case .stop = $0 { true } else { false } }),
                !isStopping
            {
                isStopping = true
                giveUpAt = now.advanced(
                    byMilliseconds: Double(options.graceMs) + Self.killedMs)
            }
            dispatch.advanceClock(to: now, into: &actions)
            perform(now)
            handleDeadlines(now)
            published.value = dispatch.counters
            if isStopping, processes.isEmpty || now >= giveUpAt { break }
            wait(min(nextDeadline, giveUpAt), now)
        }
        let now = MonotonicTime.now
        for post in inbox.close() { dispatch.handle(post, at: now, into: &actions) }
        published.value = dispatch.counters
        unsafe chunk.deallocate()
    }

    /// Blocks SIGPIPE in this thread. Writing to a process that has died raises the signal in the
    /// writing thread. A blocked signal stays pending, and `write` returns an error.
    private static func blockBrokenPipes() {
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        unsafe sigaddset(&signals, SIGPIPE)
        unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
    }

    private var processes: [ExecProcess] {
        slots.compactMap { if case .running(let process) = $0 { process } else { nil } }
    }

    // MARK: Time

    private var nextDeadline: Instant {
        var next = dispatch.nextDeadline ?? .never
        for place in slots {
            switch place {
            case .waitingToStart(let until): if !isStopping { next = min(next, until) }
            case .running(let process):
                if case .terminating(let until) = process.phase { next = min(next, until) }
            }
        }
        return next
    }

    /// Starts the processes whose pause is over, and kills those whose grace period is over.
    private mutating func handleDeadlines(_ now: Instant) {
        for index in slots.indices {
            switch slots[index] {
            case .waitingToStart(let until):
                if !isStopping, until <= now { start(at: index, now) }
            case .running(let process):
                if case .terminating(let until) = process.phase, until <= now { process.kill() }
            }
        }
    }

    private mutating func start(at index: Int, _ now: Instant) {
        do throws(ExecCommand.Failure) {
            let started = try command.start()
            lastWorker += 1
            let process = ExecProcess(
                started, as: WorkerID(lastWorker), lineBytesMax: options.lineBytesMax, now: now)
            slots[index] = .running(process)
            log(.started(process: process.process))
            dispatch.handle(
                .joined(process.worker, feeds: nil, capacity: options.loadsPerProcess), at: now,
                into: &actions)
            perform(now)
        } catch {
            log(.startFailed(error.message))
            scheduleRestart(at: index, now, forMs: pauses[index].pauseMs(afterMs: 0))
        }
    }

    private mutating func scheduleRestart(at index: Int, _ now: Instant, forMs pauseMs: Int) {
        slots[index] = .waitingToStart(until: now.advanced(byMilliseconds: Double(pauseMs)))
    }

    // MARK: Actions

    private mutating func perform(_ now: Instant) {
        // An action can cause further actions. For example, a process that does not read is handled
        // as lost.
        while !actions.isEmpty {
            let batch = actions
            actions = []
            for action in batch { perform(action, now) }
        }
    }

    private mutating func perform(_ action: LoadDispatch.Action, _ now: Instant) {
        switch action {
        case .write(let line, let worker):
            guard let process = process(of: worker) else { return }
            guard process.enqueue(line), process.flush() else {
                return handleLoss(of: process, now)
            }
        case .bye(let worker):
            guard let process = process(of: worker) else { return }
            process.isExpectedToEnd = true
            _ = process.enqueue(WorkerOrder.bye.text) && process.flush()
            process.closeInputWhenFlushed()
            process.phase = .terminating(until: graceEnd(now))
        case .dismiss(let worker, let reason):
            guard let process = process(of: worker) else { return }
            log(.dismissed(process: process.process, reason: Self.text(of: reason)))
            process.isOverdue = reason == .overdue
            process.isExpectedToEnd = true
            process.kill()
        case .offer, .sendOnBus:
            // No feed of this backend has workers on the message bus.
            break
        }
    }

    private static func text(of reason: WorkerDismissal) -> String {
        switch reason {
        case .invalidMessage(let fault): "its message is \(fault.message)"
        case .overdue: "it did not end a cancelled load in time"
        }
    }

    private func process(of worker: WorkerID) -> ExecProcess? {
        processes.first { $0.worker == worker }
    }

    private func graceEnd(_ now: Instant) -> Instant {
        now.advanced(byMilliseconds: Double(options.graceMs))
    }

    /// Handles a process that has closed one of its pipes, or that does not read its input. The
    /// pool removes the process as lost, so another process may get its loads. The lost process may
    /// end on its own within the grace period.
    private mutating func handleLoss(of process: ExecProcess, _ now: Instant) {
        guard process.phase == .serving else { return }
        process.phase = .terminating(until: graceEnd(now))
        process.closeInput()
        dispatch.handle(.lost(process.worker), at: now, into: &actions)
    }
}

// MARK: - Process events

extension ExecLoop {
    /// Waits until a pipe is readable or writable, a process has ended, an event is posted, or
    /// `deadline` passes.
    private mutating func wait(_ deadline: Instant, _ now: Instant) {
        let running = processes
        var watched = [Self.pollEntry(inbox.descriptor, POLLIN)]
        for process in running {
            watched.append(Self.pollEntry(process.output, POLLIN))
            watched.append(Self.pollEntry(process.errors, POLLIN))
            // The process's standard input is polled only if lines for it are queued, because a
            // pipe that is not full is always writable.
            watched.append(Self.pollEntry(process.hasOutgoing ? process.input : -1, POLLOUT))
            watched.append(Self.pollEntry(process.processDescriptor, POLLIN))
        }
        var timeoutMs: Int32 = -1
        if deadline != .never {
            let left = min(max(0, deadline.milliseconds(since: now)), 60_000)
            timeoutMs = Int32(left.rounded(.up))
        }
        if running.contains(where: { $0.processDescriptor < 0 }) {
            timeoutMs = timeoutMs < 0 ? Self.pollIntervalMs : min(timeoutMs, Self.pollIntervalMs)
        }
        unsafe _ = poll(&watched, nfds_t(watched.count), timeoutMs)
        let now = MonotonicTime.now
        for (index, process) in running.enumerated() {
            let first = 1 + 4 * index
            if watched[first].revents != 0 { readOutput(of: process, now) }
            if watched[first + 1].revents != 0 { readErrors(of: process, now) }
            if watched[first + 2].revents != 0, !process.flush() { handleLoss(of: process, now) }
            if watched[first + 3].revents != 0 || process.processDescriptor < 0 {
                handleEnd(of: process, now)
            }
            perform(now)
        }
    }

    private static func pollEntry(_ descriptor: Int32, _ events: Int32) -> pollfd {
        pollfd(fd: descriptor, events: Int16(events), revents: 0)
    }

    private mutating func readOutput(of process: ExecProcess, _ now: Instant) {
        var turn = 0
        while process.output >= 0, turn < Self.turnBytesMax {
            let count = unsafe read(process.output, chunk.baseAddress, chunk.count)
            guard count > 0 else {
                if count < 0, errno == EINTR { continue }
                if count < 0, errno == EAGAIN { return }
                process.closeOutput()
                return handleLoss(of: process, now)
            }
            turn += count
            // The output of a process that no longer serves is read and discarded, so that the
            // process can end.
            guard process.phase == .serving else { continue }
            unsafe process.lines.append(UnsafeRawBufferPointer(rebasing: chunk[..<count]))
            processLines(of: process, now)
        }
    }

    private mutating func processLines(of process: ExecProcess, _ now: Instant) {
        while process.phase == .serving, let piece = process.lines.next() {
            let post: WorkerEvent
            switch piece {
            case .line(let range):
                do throws(WorkerMessageFault) {
                    let message = try WorkerMessageReader.read(
                        process.lines.span.extracting(range), notices: dispatch.notices)
                    post = .received(process.worker, message)
                } catch {
                    post = .receivedInvalid(process.worker, error)
                }
            case .tooLong(let range):
                let load = WorkerMessageReader.load(
                    inBeginning: process.lines.span.extracting(range))
                post = .receivedInvalid(
                    process.worker,
                    WorkerMessageFault(.tooLong(max: options.lineBytesMax), of: load))
            }
            dispatch.handle(post, at: now, into: &actions)
            perform(now)
        }
    }

    private mutating func readErrors(of process: ExecProcess, _ now: Instant) {
        var turn = 0
        while process.errors >= 0, turn < Self.turnBytesMax {
            let count = unsafe read(process.errors, chunk.baseAddress, chunk.count)
            guard count > 0 else {
                if count < 0, errno == EINTR { continue }
                if count < 0, errno == EAGAIN { return }
                process.closeErrors()
                return
            }
            turn += count
            let lines = unsafe process.errorLines.consumeChunk(
                UnsafeRawBufferPointer(rebasing: chunk[..<count]), at: now)
            logErrorLines(lines, of: process)
        }
    }

    private func logErrorLines(_ lines: [ErrorLines.Line], of process: ExecProcess) {
        for line in lines {
            switch line {
            case .line(let text): log(.errorLine(process: process.process, text))
            case .omitted(let count):
                log(.errorLinesOmitted(process: process.process, lines: count))
            }
        }
    }

    /// Processes the rest of a process's output. If the process has ended, handles its end.
    private mutating func handleEnd(of process: ExecProcess, _ now: Instant) {
        readOutput(of: process, now)
        readErrors(of: process, now)
        guard let end = process.reapIfEnded() else { return }
        logErrorLines(process.errorLines.finish(at: now), of: process)
        if process.phase == .serving {
            process.phase = .killed
            dispatch.handle(.lost(process.worker), at: now, into: &actions)
        }
        log(Self.endEvent(of: end, of: process))
        let index = slots.firstIndex {
            if case .running(let other) = $0 { other === process } else { false }
        }
        guard let index else { return }
        let uptimeMs = now.milliseconds(since: process.startedAt)
        // If a client cancels a load, and the process does not end the load in time, the process is
        // killed (`isOverdue`). This must not delay the restart of a working process.
        scheduleRestart(
            at: index, now,
            forMs: process.isOverdue
                ? pauses[index].pauseMsAfterDismissal : pauses[index].pauseMs(afterMs: uptimeMs))
    }

    private static func endEvent(of end: ExecProcess.End, of process: ExecProcess) -> ExecEvent {
        var (exitStatus, signal): (Int32?, Int32?)
        if case .status(let status) = end {
            let (code, number) = (cprocess_exit_code(status), cprocess_signal(status))
            exitStatus = code >= 0 ? code : nil
            signal = number != 0 ? number : nil
        }
        return process.isExpectedToEnd
            ? .ended(process: process.process, exitStatus: exitStatus, signal: signal)
            : .endedUnexpectedly(
                process: process.process, exitStatus: exitStatus, signal: signal,
                lastLine: process.errorLines.last)
    }
}
