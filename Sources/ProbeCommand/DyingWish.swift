import Dispatch
import Glibc
import RefreshScenario
import Synchronization

/// What is still done when the probe is told to end: its driver ends before it.
///
/// A handler may do next to nothing (signal-safety(7)), so it writes the signal's number into a
/// pipe, and a thread reads that. To ignore the signal and to watch it would lose it now and then:
/// the kernel drops what is ignored, unless the thread that it comes to has it blocked.
final class DyingWish {
    private let source: (any DispatchSourceRead)?
    private let hearing: Int32
    private let signals: [Int32]
    private let ward: Ward

    /// Who ends first. While it is being started a signal waits.
    private final class Ward: Sendable {
        let driver = Mutex<DriverProcess?>(nil)
    }

    /// Where handlers write; -1: there is nobody to tell.
    private static let tellingEnd = Atomic<Int32>(-1)

    /// From now on a signal ends the driver first, and the probe then as it would have. One that
    /// whoever started the probe ignores stays ignored. There is one wish at a time.
    init() {
        let ward = Ward()
        self.ward = ward
        signals = [SIGINT, SIGTERM, SIGHUP].filter { !Self.isIgnored($0) }
        var ends: [Int32] = [-1, -1]
        // Without a pipe, for want of descriptors, signals end the probe as ever.
        guard unsafe pipe(&ends) == 0 else {
            source = nil
            hearing = -1
            return
        }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        let (hearing, telling) = (ends[0], ends[1])
        let source = DispatchSource.makeReadSource(fileDescriptor: hearing, queue: .global())
        self.source = source
        self.hearing = hearing
        source.setEventHandler { Self.hear(hearing, ward) }
        source.setCancelHandler {
            close(hearing)
            close(telling)
        }
        source.resume()
        Self.tellingEnd.store(telling, ordering: .sequentiallyConsistent)
        for number in signals { signal(number, Self.note) }
        Terminal.setLastDuty { ward.driver.withLock { $0?.end() } }
    }

    /// Ends the driver and the probe, if a signal was noted.
    private static func hear(_ hearing: Int32, _ ward: Ward) {
        var number: UInt8 = 0
        guard unsafe read(hearing, &number, 1) == 1 else { return }
        ward.driver.withLock { driver in
            driver?.end()
            end(by: Int32(number))
        }
    }

    /// The handler.
    private static let note: @convention(c) (Int32) -> Void = { number in
        let error = errno
        var byte = UInt8(truncatingIfNeeded: number)
        _ = unsafe write(tellingEnd.load(ordering: .relaxed), &byte, 1)
        errno = error
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
        for number in signals { signal(number, SIG_DFL) }
        Self.tellingEnd.store(-1, ordering: .sequentiallyConsistent)
        Terminal.setLastDuty(nil)
        // One that was noted just before still counts.
        Self.hear(hearing, ward)
        source?.cancel()
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
