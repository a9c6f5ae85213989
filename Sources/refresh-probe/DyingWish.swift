import Dispatch
import Glibc
import RefreshScenario

/// What is still done when the probe is told to end: its driver ends before it.
final class DyingWish {
    private let sources: [any DispatchSourceSignal]
    private let signals: [Int32]

    /// From now on a signal ends the driver first, and the probe then as it would have. One that
    /// whoever started the probe ignores stays ignored.
    init(endingOf driver: DriverProcess) {
        signals = [SIGINT, SIGTERM, SIGHUP].filter { !Self.isIgnored($0) }
        sources = signals.map { number in
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                driver.end()
                Self.end(by: number)
            }
            source.resume()
            return source
        }
        // After the sources, so that none is lost between.
        for number in signals { signal(number, SIG_IGN) }
    }

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
