import RefreshEngine
import RefreshProtocol

@testable import RefreshServer
@testable import RefreshSession

/// Two states with the same fingerprint have the same future, so the search continues from only one
/// of them. Names and tokens are numbered by first occurrence, and times are relative to now, in
/// milliseconds.
extension ReturnWorld {
    /// Numbers the random names and tokens.
    private struct Naming {
        private var numbers: [String: Int] = [:]

        mutating func number(_ text: String?) -> Int {
            guard let text else { return -1 }
            if let known = numbers[text] { return known }
            numbers[text] = numbers.count
            return numbers.count - 1
        }

        mutating func number(_ key: SessionKey) -> Int {
            number("\(key.loop).\(key.slot).\(key.generation)")
        }
    }

    /// The fingerprint of the whole world.
    var fingerprint: StateFingerprint {
        var print = StateFingerprint()
        var naming = Naming()
        mixClient(&print, &naming)
        for line in lines {
            print.mix(line.isUp)
            guard line.isUp else { continue }
            print.mix(line.loopIndex)
            print.mix(line.isIntruder)
            print.mix(line.closed.map { Int($0.rawValue) } ?? 0)
            print.mix(line.helloReadAt.map { passed - $0 } ?? -1)
            for frame in line.up { mix(frame, into: &print, &naming) }
        }
        mixHosts(&print, &naming)
        for value in [
            left.lines, left.intruders, left.refreshes, left.cancels, left.passes, left.crashes,
        ] { print.mix(value) }
        return print
    }

    /// The fingerprint of the daemons alone.
    var hostsFingerprint: StateFingerprint {
        var print = StateFingerprint()
        var naming = Naming()
        mixHosts(&print, &naming)
        return print
    }

    // MARK: The client

    private func mixClient(_ print: inout StateFingerprint, _ naming: inout Naming) {
        print.mix(client.line ?? -1)
        print.mix(client.isWelcomed)
        print.mix(client.isResumed)
        print.mix(naming.number(client.requestedSession))
        mix(client.claim, into: &print, &naming)
        mix(left.intruders > 0 ? client.oldClaim : nil, into: &print, &naming)
        print.mix(client.seq)
        for intent in client.unacknowledged { print.mix(intent.seq) }
        print.mix(client.snapshotAck)
        print.mix(min(passed - client.welcomedAt, 2))
        print.mix(client.mayLose)
        for (load, state) in client.loads.sorted(by: { $0.key < $1.key }) {
            print.mix(naming.number("load \(load)"))
            print.mix(state.rawValue)
            print.mix(client.accepted.contains(load))
        }
    }

    private func mix(
        _ claim: ReturnClaim?, into print: inout StateFingerprint, _ naming: inout Naming
    ) {
        print.mix(-2)
        guard let claim else { return }
        print.mix(naming.number(claim.session))
        print.mix(naming.number(claim.token))
        print.mix(claim.ack)
        print.mix(naming.number(claim.received))
        guard let snapshot = snapshot(claim.snapshot) else { return }
        print.mix(naming.number(snapshot.session.name))
        print.mix(naming.number(tokens[snapshot.tokenHash]))
        print.mix(Int(snapshot.session.ack))
        mix(snapshot.history, into: &print, &naming)
        for view in snapshot.session.views {
            print.mix(Int(view.feed?.delivered ?? 0))
            mix(view.engine, into: &print)
        }
    }

    private func mix(
        _ frame: ReturnLine.Frame, into print: inout StateFingerprint, _ naming: inout Naming
    ) {
        switch frame {
        case .intent(let intent): print.mix(intent.seq)
        case .hello(let claim, let intents):
            mix(claim, into: &print, &naming)
            for intent in intents { print.mix(intent.seq) }
        }
    }

    // MARK: The daemons

    private func mixHosts(_ print: inout StateFingerprint, _ naming: inout Naming) {
        for daemon in daemons {
            print.mix(-3)
            for host in daemon.hosts {
                print.mix(-4)
                for session in host.sessions.elements { mix(session, into: &print, &naming) }
            }
            for loop in daemon.loops {
                print.mix(-5)
                for job in loop.jobs {
                    print.mix(job.origin)
                    print.mix(age(job.postedAt))
                }
            }
            for ticket in daemon.loads.running {
                print.mix(naming.number(ticket.session))
                print.mix(Int(ticket.load.number))
                print.mix(
                    daemon.directory.sessions.key(initialKey: ticket.session).map {
                        naming.number($0)
                    } ?? -1)
            }
            mixDirectory(of: daemon, &print, &naming)
        }
    }

    private func mixDirectory(
        of daemon: SmallDaemon, _ print: inout StateFingerprint, _ naming: inout Naming
    ) {
        print.mix(-6)
        for name in names {
            guard let key = daemon.directory.sessions.key(of: name) else { continue }
            print.mix(naming.number(name))
            print.mix(naming.number(key))
            print.mix(daemon.directory.sessions.isConnected(name))
        }
    }

    private func mix(
        _ session: Session, into print: inout StateFingerprint, _ naming: inout Naming
    ) {
        let own = session.conversation.value
        print.mix(lines.firstIndex { $0.session === session } ?? -1)
        print.mix(naming.number(session.key))
        print.mix(naming.number(own.key))
        print.mix(naming.number(own.name))
        switch own.phase.stage {
        case .silent(let until): print.mix(100 + age(until))
        case .greeting(let until): print.mix(100_000 + age(until))
        case .open: print.mix(1)
        case .closing(let code): print.mix(Int(code.rawValue))
        case .closed(let keeps): print.mix(keeps ? 2 : 3)
        case .detached(let until): print.mix(200_000 + age(until))
        }
        print.mix(naming.number(own.credentials.token?.text))
        print.mix(naming.number(own.credentials.previousResumeToken?.text))
        print.mix(age(own.credentials.previousResumeTokenEnds))
        print.mix(Int(own.credentials.previousResumeTokenWelcomes))
        mix(own.credentials.history, into: &print, &naming)
        print.mix(age(own.credentials.welcomedAt))
        print.mix(lines.count { $0.isUp && $0.connectedAt <= own.credentials.connectedAt })
        print.mix(Int(own.inbound.ack))
        print.mix(own.phase.hasOpened)
        print.mix(own.outbox.hasDropped)
        print.mix(own.outbox.messages.count)
        if let greeting = own.phase.greeting {
            print.mix(-7)
            print.mix(naming.number(greeting.hello.resume?.token))
            print.mix(naming.number(greeting.hello.resume?.session))
            for frame in greeting.held { print.mix(frame.count) }
        }
        for view in own.views {
            print.mix(Int(view.feed?.delivered ?? 0))
            mix(view.engine, into: &print)
        }
    }

    private func mix(
        _ lineage: ResumeHistory?, into print: inout StateFingerprint, _ naming: inout Naming
    ) {
        for step in lineage?.steps ?? [] {
            print.mix(naming.number(step.line))
            print.mix(Int(step.welcomes))
        }
    }

    private func mix(_ engine: Engine, into print: inout StateFingerprint) {
        print.mix(Int(engine.generation))
        for load in engine.loadsInFlight {
            print.mix(Int(load.id.number))
            print.mix(load.attempt)
        }
        for role in EdgeRole.allCases {
            print.mix(engine.edge(role)?.state.map { state($0) } ?? -1)
        }
        print.mix(engine.paging.itemCount)
        print.mix(engine.paging.hasMore)
        print.mix(engine.nextDeadline.map { age($0) } ?? -1)
    }

    private func state(_ state: EdgeState) -> Int {
        EdgeState.allCases.firstIndex(of: state) ?? -1
    }

    /// Milliseconds from now; negative in the past. The world opens each connection a microsecond
    /// after the one before. The rounding to milliseconds removes these differences.
    private func age(_ moment: Instant) -> Int {
        if moment == .never { return 1_000_000_000 }
        return Int((moment.milliseconds(since: now)).rounded())
    }
}
