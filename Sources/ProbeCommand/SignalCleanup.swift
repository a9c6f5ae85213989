import Conformance
import Dispatch
import Glibc
import Synchronization

/// Ends the driver if a signal ends `refresh-probe`. The driver is the child process that operates
/// the client under test.
final class SignalCleanup {
    private let source: (any DispatchSourceRead)?
    private let pipe: SignalPipe?
    private let guardedDriver: GuardedDriver

    /// The driver, which must end before `refresh-probe`. While the driver is being started, the
    /// handling of a signal waits.
    private final class GuardedDriver: Sendable {
        let driver = Mutex<DriverProcess?>(nil)
    }

    /// Installs the handlers. After this, a signal first ends the driver. Then the signal's default
    /// action ends `refresh-probe`. A signal that is already ignored stays ignored. Only one
    /// instance may exist at a time.
    init() {
        let guardedDriver = GuardedDriver()
        self.guardedDriver = guardedDriver
        // If no descriptors are left for a pipe, signals end `refresh-probe` without ending the
        // driver.
        guard let pipe = SignalPipe([SIGINT, SIGTERM, SIGHUP]) else {
            self.pipe = nil
            source = nil
            return
        }
        self.pipe = pipe
        let readEnd = pipe.readEnd
        let source = DispatchSource.makeReadSource(fileDescriptor: readEnd, queue: .global())
        self.source = source
        source.setEventHandler { Self.handlePendingSignal(readEnd, guardedDriver) }
        source.setCancelHandler { [pipe] in pipe.close() }
        source.resume()
        Terminal.setExitHandler { guardedDriver.driver.withLock { $0?.end() } }
    }

    /// If a signal was recorded, ends the driver and `refresh-probe`.
    private static func handlePendingSignal(_ reader: Int32, _ guardedDriver: GuardedDriver) {
        guard let number = SignalPipe.nextSignal(from: reader) else { return }
        guardedDriver.driver.withLock { driver in
            driver?.end()
            terminate(by: number)
        }
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
        pipe?.restoreDefaultHandlers()
        Terminal.setExitHandler(nil)
        // If a signal was recorded before the handlers were removed, it is handled now.
        if let pipe { Self.handlePendingSignal(pipe.readEnd, guardedDriver) }
        source?.cancel()
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
