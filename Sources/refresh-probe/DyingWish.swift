import Dispatch
import Glibc
import RefreshScenario
import Synchronization

/// What is still done when the probe is told to end: its driver ends before it.
final class DyingWish {
    private let sources: [any DispatchSourceSignal]
    private let signals: [Int32]
    private let ward: Ward

    /// Who ends first. While it is being started a signal waits.
    private final class Ward: Sendable {
        let driver = Mutex<DriverProcess?>(nil)
    }

    /// From now on a signal ends the driver first, and the probe then as it would have. One that
    /// whoever started the probe ignores stays ignored.
    init() {
        let ward = Ward()
        self.ward = ward
        signals = [SIGINT, SIGTERM, SIGHUP].filter { !Self.isIgnored($0) }
        sources = signals.map { number in
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                ward.driver.withLock { driver in
                    driver?.end()
                    Self.end(by: number)
                }
            }
            source.resume()
            return source
        }
        // After the sources, so that none is lost between.
        for number in signals { signal(number, SIG_IGN) }
    }

    /// Starts the driver; there is no moment at which it would be left behind.
    func start(
        _ command: [String], environment: [String: String]
    ) throws(DriverProcess.NotStarted) -> DriverProcess {
        let outcome = ward.driver.withLock { driver in
            let outcome = Result { () throws(DriverProcess.NotStarted) in
                try DriverProcess(command, environment: environment)
            }
            driver = try? outcome.get()
            return outcome
        }
        return try outcome.get()
    }

    /// Returns unless a signal is ending the probe just now: that its driver has gone is no finding
    /// then.
    func giveWay() { ward.driver.withLock { _ in } }

    /// Signals do again what they do by themselves.
    func forget() {
        for source in sources { source.cancel() }
        for number in signals { signal(number, SIG_DFL) }
    }

    private static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        guard unsafe sigaction(number, nil, &action) == 0 else { return false }
        let ignoring = unsafe unsafeBitCast(SIG_IGN, to: Int.self)
        return unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == ignoring
    }

    private static func end(by number: Int32) {
        signal(number, SIG_DFL)
        var set = sigset_t()
        unsafe sigemptyset(&set)
        unsafe sigaddset(&set, number)
        unsafe pthread_sigmask(SIG_UNBLOCK, &set, nil)
        raise(number)
    }
}
