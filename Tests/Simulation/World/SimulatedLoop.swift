import RefreshConfiguration
import RefreshProtocol
import RefreshServer
import RefreshSession

/// The thread of a host's sessions. Jobs run in order, each with a delay after it was posted.
///
/// `@unchecked Sendable`: a world runs on one thread, and all jobs are posted from this thread.
final class SimulatedLoop: SessionLoop, @unchecked Sendable {
    let lane: Int
    private let agenda: Agenda
    private var generator: SeededGenerator
    /// The world's time at which the daemon's clock is zero, in microseconds.
    private let origin: Int64
    private var lastJob = Instant.origin
    private var wakes: Instant?
    private var isEnded = false
    weak var host: SessionHost?

    init(_ agenda: Agenda, origin: Int64, seed: SeededGenerator) {
        self.agenda = agenda
        self.origin = origin
        generator = seed
        lane = agenda.newLane()
    }

    /// The time by the daemon's clock.
    var now: Instant { Instant(microseconds: agenda.now.microseconds - origin) }

    func run(_ job: @escaping @Sendable (_ now: Instant) -> Void) {
        guard !isEnded else { return }
        // The additional delay of a job, because the thread is sometimes busy with other work.
        let pause =
            generator.chance(3) ? generator.milliseconds(5, 60) : generator.milliseconds(0, 1)
        lastJob = max(lastJob, agenda.now.advanced(byMilliseconds: pause))
        agenda.at(lastJob, lane: lane) { [self] in
            if !isEnded { job(now) }
        }
    }

    func scheduleWakeup(at moment: Instant) {
        guard moment != .never, !isEnded else { return }
        if let wakes, wakes <= moment { return }
        wakes = moment
        let due = Instant(microseconds: moment.microseconds + origin)
        agenda.at(due, lane: lane) { [self] in
            guard !isEnded, wakes == moment else { return }
            wakes = nil
            host?.wakeupFired(at: now)
        }
    }

    /// The process has ended. Posted jobs never run.
    func end() { isEnded = true }
}
