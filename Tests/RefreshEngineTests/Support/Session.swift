import RefreshEngine
import RefreshProtocol

/// The recorded input of one client: the initial view, and the events with their times.
struct Session {
    typealias Step = (at: Instant, event: Event)

    /// The values with which a view is attached.
    struct Start {
        var options: ViewOptions
        var geometry: GeometryChange
        var offset: Double?
        var hasUnread = false

        var engine: Engine {
            var engine = Engine(
                generation: 1, options: options, geometry: geometry, offset: offset)
            engine.setUnread(hasUnread)
            return engine
        }
    }

    var start: Start
    var steps: [Step]

    /// A session of a random client with `count` events. After them the view is detached. If a
    /// deadline has passed, `timePassed` usually replaces the random event.
    init(_ events: inout RandomEvents, seed: UInt64, count: Int) {
        start = events.start()
        steps = []
        steps.reserveCapacity(count + 1)
        Session.run(start.engine, &events, seed: seed, count: count) { engine, step, _ in
            steps.append(step)
            return true
        }
    }

    /// Runs a random client and passes each event with its effects to `record`, without storing the
    /// events. The run ends when the view is detached after `count` events, or when `record`
    /// returns false.
    ///
    /// - Returns: the number of events.
    @discardableResult
    static func run(
        _ start: Engine, _ events: inout RandomEvents, seed: UInt64, count: Int,
        record: (borrowing Engine, Step, [Effect]) -> Bool
    ) -> Int {
        var engine = start
        var effects: [Effect] = []
        var now = Instant(milliseconds: 1000)
        var lateness = SeededGenerator(seed: ~seed)
        for number in 0...count {
            var (pause, event) = events.next(for: engine)
            now = now.advanced(byMilliseconds: pause)
            if let deadline = engine.nextDeadline, deadline <= now, lateness.chance(90) {
                event = .timePassed
            }
            if number == count { event = .detached }
            effects.removeAll(keepingCapacity: true)
            engine.handle(event, at: now, into: &effects)
            guard record(engine, (now, event), effects) else { return number + 1 }
        }
        return count + 1
    }

    /// The first breach of an invariant, and the step at which it occurs.
    func breach() -> (step: Int, text: String, effects: [Effect])? {
        var engine = start.engine
        var watch = InvariantWatch(engine)
        var effects: [Effect] = []
        for (index, step) in steps.enumerated() {
            effects.removeAll(keepingCapacity: true)
            engine.handle(step.event, at: step.at, into: &effects)
            watch.record(step.event, after: engine, effects: effects, at: step.at)
            if let breach = watch.breach { return (index, breach, effects) }
        }
        return nil
    }

    /// Returns a session with the same breach and as few events as possible.
    func reduced() -> Session {
        guard let found = breach() else { return self }
        var least = self
        least.steps = Array(steps[...found.step])
        var chunk = least.steps.count / 2
        while chunk > 0 {
            var index = 0
            while index + chunk < least.steps.count {
                var fewer = least
                fewer.steps.removeSubrange(index..<(index + chunk))
                if let again = fewer.breach(), again.text.kind == found.text.kind {
                    fewer.steps.removeSubrange((again.step + 1)...)
                    least = fewer
                } else {
                    index += chunk
                }
            }
            chunk /= 2
        }
        return least
    }

    /// Each event with its time and its effects.
    var transcript: String {
        var engine = start.engine
        var lines = ["\(start)"]
        for step in steps {
            var effects: [Effect] = []
            engine.handle(step.event, at: step.at, into: &effects)
            lines.append("  \(step.at.milliseconds) \(step.event)")
            lines += effects.map { "      \($0.text(at: step.at))" }
        }
        return lines.joined(separator: "\n")
    }
}

extension String {
    /// The message about a breach without its numbers.
    fileprivate var kind: String { filter { !$0.isNumber && $0 != "." && $0 != "-" } }
}
