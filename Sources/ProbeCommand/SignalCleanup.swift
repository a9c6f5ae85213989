import Conformance
import Dispatch
import Glibc
import Synchronization

/// Ends the probe's driver before a signal ends the probe.
///
/// A signal handler may do almost nothing (signal-safety(7)). So it writes the signal's number into
/// a pipe, and a thread reads it. Ignoring the signal and watching it instead would sometimes lose
/// it: the kernel drops an ignored signal, unless the receiving thread blocks it.
final class SignalCleanup {
    private let source: (any DispatchSourceRead)?
    private let readEnd: Int32
    private let signals: [Int32]
    private let guardedDriver: GuardedDriver

    /// The driver, which must end first. A signal waits while the driver is being started.
    private final class GuardedDriver: Sendable {
        let driver = Mutex<DriverProcess?>(nil)
    }

    /// The descriptor that handlers write to; -1: none.
    private static let writeEnd = Atomic<Int32>(-1)

    /// Installs the handlers: from now on a signal ends the driver, and then the probe as usual.
    /// Signals that the parent process ignored stay ignored. Only one instance may exist at a time.
    init() {
        let ward = GuardedDriver()
        self.guardedDriver = ward
        signals = [SIGINT, SIGTERM, SIGHUP].filter { !Self.isIgnored($0) }
        var ends: [Int32] = [-1, -1]
        // If there are no descriptors for a pipe, signals end the probe as usual.
        guard unsafe pipe(&ends) == 0 else {
            source = nil
            readEnd = -1
            return
        }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        let (hearing, telling) = (ends[0], ends[1])
        let source = DispatchSource.makeReadSource(fileDescriptor: hearing, queue: .global())
        self.source = source
        self.readEnd = hearing
        source.setEventHandler { Self.handlePendingSignal(hearing, ward) }
        source.setCancelHandler {
            close(hearing)
            close(telling)
        }
        source.resume()
        Self.writeEnd.store(telling, ordering: .sequentiallyConsistent)
        for number in signals { signal(number, Self.recordSignal) }
        Terminal.setExitHandler { ward.driver.withLock { $0?.end() } }
    }

    /// Ends the driver and the probe, if a signal was recorded.
    private static func handlePendingSignal(_ hearing: Int32, _ ward: GuardedDriver) {
        var number: UInt8 = 0
        guard unsafe read(hearing, &number, 1) == 1 else { return }
        ward.driver.withLock { driver in
            driver?.end()
            terminate(by: Int32(number))
        }
    }

    /// The signal handler.
    private static let recordSignal: @convention(c) (Int32) -> Void = { number in
        let error = errno
        var byte = UInt8(truncatingIfNeeded: number)
        _ = unsafe write(writeEnd.load(ordering: .relaxed), &byte, 1)
        errno = error
    }

    /// Starts the driver. A signal at any moment ends it too.
    func start(
        _ command: [String], environment: [String: String]
    ) throws(DriverProcess.NotStarted) -> DriverProcess {
        let outcome = guardedDriver.driver.withLock { driver in
            let outcome = Result { () throws(DriverProcess.NotStarted) in
                try DriverProcess(command, environment: environment)
            }
            driver = try? outcome.get()
            return outcome
        }
        return try outcome.get()
    }

    /// Returns unless a signal is ending the probe. The end of the driver is then not a result to
    /// report.
    func waitForSignalHandling() { guardedDriver.driver.withLock { _ in } }

    /// Restores the default behaviour of the signals.
    func restoreDefaultHandlers() {
        for number in signals { signal(number, SIG_DFL) }
        Self.writeEnd.store(-1, ordering: .sequentiallyConsistent)
        Terminal.setExitHandler(nil)
        // A signal recorded just before still counts.
        Self.handlePendingSignal(readEnd, guardedDriver)
        source?.cancel()
    }

    private static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        guard unsafe sigaction(number, nil, &action) == 0 else { return false }
        let ignoring = unsafe unsafeBitCast(SIG_IGN, to: Int.self)
        return unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == ignoring
    }

    private static func terminate(by number: Int32) {
        signal(number, SIG_DFL)
        var set = sigset_t()
        unsafe sigemptyset(&set)
        unsafe sigaddset(&set, number)
        unsafe pthread_sigmask(SIG_UNBLOCK, &set, nil)
        raise(number)
    }
}
