import RefreshEngine
import RefreshProtocol

@testable import RefreshServer
@testable import RefreshSession

/// The conditions that must hold in each state, and the end that must be reachable from each state.
extension ReturnWorld {
    func check() {
        for daemon in daemons {
            if let mistake = daemon.loads.mistake { fail(mistake) }
            var holders: [String: SessionKey] = [:]
            for session in daemon.sessions where isHeld(session) {
                if holders.updateValue(session.key, forKey: session.name) != nil {
                    fail("session \(session.name) has two owners")
                }
            }
            guard daemon.isIdle else { continue }
            for name in names where daemon.directory.sessions.key(of: name) != holders[name] {
                fail("session \(name) is not where the directory says")
            }
        }
        var speakers: Set<String> = []
        for line in lines where line.isUp && line.closed == nil {
            guard let session = line.session, session.conversation.value.phase.isOpen else {
                continue
            }
            let daemon = rules.isSplit ? "\(line.loopIndex) " : ""
            if !speakers.insert(daemon + session.name).inserted {
                fail("session \(session.name) is open on two connections")
            }
        }
    }

    private func isHeld(_ session: Session) -> Bool {
        let conversation = session.conversation.value
        return conversation.phase.hasOpened
            && (conversation.phase.isOpen || session.resumeDeadline != nil)
    }

    /// Brings the world to its end, without further failures of the network. The client resumes
    /// with the credentials that it last received, and receives the end of each load. Then the
    /// client leaves, and the daemons must have no state left.
    func end(at loopIndex: Int) {
        causes.begin(StateFingerprint())
        for line in lines where line.isUp && line.number != client.line { drop(line) }
        settle()
        let line = connect(to: loopIndex)
        deliver(line)
        settle()
        guard mistake == nil else { return }
        guard client.line == line.number, client.isWelcomed else {
            return fail("the client has no answer, and no work is pending")
        }
        while let daemon = daemons.first(where: { !$0.loads.running.isEmpty }) {
            daemon.loads.answerFirst()
            settle()
        }
        agree(on: line)
        leave()
    }

    private func settle() {
        for daemon in daemons { daemon.settle() }
        check()
    }

    /// Checks that the client and its session have the same state.
    private func agree(on line: ReturnLine) {
        guard let conversation = line.session?.conversation.value else {
            return fail("the client has no session")
        }
        if conversation.inbound.ack < client.seq, client.isResumed, !client.unacknowledged.isEmpty {
            fail("\(client.seq) was sent, but only \(conversation.inbound.ack) was handled")
        }
        for (load, state) in client.loads where state == .running {
            fail("load \(load) never ended")
        }
        for view in conversation.views {
            if !view.engine.loadsInFlight.isEmpty {
                fail("a view waits for a load that is not running")
            }
            let delivered = view.feed?.delivered ?? 0
            let received = client.claim?.received.flatMap { Int($0.split(separator: ".")[1]) } ?? 0
            if Int(delivered) != received {
                fail("the items of \(delivered) were sent, but those of \(received) arrived")
            }
        }
    }

    private func leave() {
        for line in lines where line.isUp { drop(line) }
        settle()
        for _ in 0..<3 {
            pass()
            settle()
        }
        for daemon in daemons {
            for leftover in daemon.leftovers { fail("after all clients have left, \(leftover)") }
            for name in names where daemon.directory.sessions.key(of: name) != nil {
                fail("after all clients have left, session \(name) is in the directory")
            }
            for line in lines {
                for slot in 0..<UInt32(lines.count) {
                    let key = SessionKey(
                        loop: UInt16(rules.isSplit ? 0 : line.loopIndex), slot: slot, generation: 1)
                    if daemon.directory.sessions.key(initialKey: key) != nil {
                        fail("all clients left, but the directory maps a key to a missing session")
                    }
                }
            }
        }
    }
}
