import Conformance
import Dispatch
import Glibc
import Synchronization

/// Ends the driver if a signal ends `refresh-probe`. The driver is the child process that operates
/// the client under test.
///
/// A signal handler may call only a few functions (signal-safety(7)). Therefore, the handler writes
/// the signal's number into a pipe, and another thread reads the number. A dispatch source for
/// signals cannot be used, because the process would have to ignore the signal. The kernel drops an
/// ignored signal if the receiving thread does not block it.
final class SignalCleanup {
    private let source: (any DispatchSourceRead)?
    private let readEnd: Int32
    private let signals: [Int32]
    private let guardedDriver: GuardedDriver

    /// The driver, which must end before `refresh-probe`. While the driver is being started, the
    /// handling of a signal waits.
    private final class GuardedDriver: Sendable {
        let driver = Mutex<DriverProcess?>(nil)
    }

    /// The descriptor that handlers write to. -1 if there is none.
    private static let writeEnd = Atomic<Int32>(-1)

    /// Installs the handlers. After this, a signal first ends the driver. Then the signal's default
    /// action ends `refresh-probe`. A signal that is already ignored stays ignored. Only one
    /// instance may exist at a time.
    init() {
        let guardedDriver = GuardedDriver()
        self.guardedDriver = guardedDriver
        signals = [SIGINT, SIGTERM, SIGHUP].filter { !Self.isIgnored($0) }
        var ends: [Int32] = [-1, -1]
        // If no descriptors are left for a pipe, signals end `refresh-probe` without ending the
        // driver.
        guard unsafe pipe(&ends) == 0 else {
            source = nil
            readEnd = -1
            return
        }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        let (reader, writer) = (ends[0], ends[1])
        let source = DispatchSource.makeReadSource(fileDescriptor: reader, queue: .global())
        self.source = source
        self.readEnd = reader
        source.setEventHandler { Self.handlePendingSignal(reader, guardedDriver) }
        source.setCancelHandler {
            close(reader)
            close(writer)
        }
        source.resume()
        Self.writeEnd.store(writer, ordering: .sequentiallyConsistent)
        for number in signals { signal(number, Self.recordSignal) }
        Terminal.setExitHandler { guardedDriver.driver.withLock { $0?.end() } }
    }

    /// If a signal was recorded, ends the driver and `refresh-probe`.
    private static func handlePendingSignal(_ reader: Int32, _ guardedDriver: GuardedDriver) {
        var number: UInt8 = 0
        guard unsafe read(reader, &number, 1) == 1 else { return }
        guardedDriver.driver.withLock { driver in
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

    /// Starts the driver. A signal that arrives during the start also ends the driver.
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

    /// Returns at once if no signal is being handled, and otherwise does not return. The handling
    /// ends the driver and then the process, and this end must not be reported as a result.
    func waitForSignalHandling() { guardedDriver.driver.withLock { _ in } }

    /// Restores the default behaviour of the signals.
    func restoreDefaultHandlers() {
        for number in signals { signal(number, SIG_DFL) }
        Self.writeEnd.store(-1, ordering: .sequentiallyConsistent)
        Terminal.setExitHandler(nil)
        // If a signal was recorded before the handlers were removed, it is handled now.
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
