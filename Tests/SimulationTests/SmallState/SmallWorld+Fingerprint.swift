import RefreshProtocol
import RefreshServer
import RefreshSession

@testable import RefreshBroker

/// Two states with the same fingerprint have the same future, so the search continues from only one
/// of them. The broker's calls and loads are renumbered, and times are relative to now.
extension SmallWorld {
    var fingerprint: StateFingerprint {
        var print = StateFingerprint()
        mixSessions(&print)
        mixMail(&print)
        let callNames = Dictionary(
            uniqueKeysWithValues: calls.map(\.order.id.number).sorted().enumerated().map {
                ($1, $0)
            })
        for call in calls.sorted(by: { $0.order.id.number < $1.order.id.number }) {
            print.mix(call.isAborted)
            print.mix(call.isOvertaken)
            print.mix(call.order.request.page)
            print.mix(call.order.attempt)
        }
        mixFlights(&print, callNames)
        print.mix(returned != nil)
        print.mix(changesLeft)
        print.mix(crashesLeft)
        print.mix(retriesLeft)
        return print
    }

    private func mixSessions(_ print: inout StateFingerprint) {
        for session in sessions {
            print.mix(Int(session.initialKey.loop))
            print.mix(Int(session.host))
            print.mix(session.isConnected)
            print.mix(session.movesLeft)
            for view in session.views {
                print.mix(Int(view.running))
                print.mix(Int(view.last))
                print.mix(view.startsLeft)
            }
        }
    }

    private func mix(_ ticket: LoadTicket, into print: inout StateFingerprint) {
        print.mix(sessions.firstIndex { $0.initialKey == ticket.session } ?? -1)
        print.mix(Int(ticket.load.generation))
        print.mix(Int(ticket.load.number))
    }

    private func mixMail(_ print: inout StateFingerprint) {
        print.mix(-1)
        for message in toBroker {
            switch message {
            case .start(let ticket, _, _, let deadline):
                print.mix(1)
                mix(ticket, into: &print)
                print.mix(Int(deadline.microseconds - now.microseconds))
            case .cancel(let ticket, let reason):
                print.mix(reason == .unwanted ? 2 : 3)
                mix(ticket, into: &print)
            }
        }
        for host in toHosts {
            print.mix(-2)
            for (ticket, outcome) in host {
                mix(ticket, into: &print)
                switch outcome {
                case .page: print.mix(1)
                case .failed: print.mix(2)
                case .cancelled: print.mix(3)
                case .timedOut: print.mix(4)
                }
            }
        }
    }

    private func mixFlights(_ print: inout StateFingerprint, _ callNames: [UInt64: Int]) {
        let tickets = numbers
        for number in machine.flights.keys.sorted() {
            guard let flight = machine.flights[number] else { continue }
            print.mix(flight.key.request.page)
            print.mix(flight.attempt)
            print.mix(flight.isOutdated)
            print.mix(flight.isForReplacedList)
            print.mix(machine.joinableFlights[flight.key] == number)
            switch flight.phase {
            case .queued: print.mix(1)
            case .pausing: print.mix(2)
            case .asking: print.mix(3)
            case .calling(let id): print.mix(10 + (callNames[id.number] ?? -1))
            }
            print.mix(flight.timer.map { Int($0.microseconds - now.microseconds) } ?? -1)
            for waiter in flight.waiters.present {
                mix(tickets[waiter], into: &print)
            }
            print.mix(
                flight.waiters.lastDeadline.map { Int($0.microseconds - now.microseconds) } ?? -1)
        }
        print.mix(
            machine.nextDeadline.map { Int($0.microseconds - now.microseconds) } ?? -1)
        print.mix(machine.cache.count)
        for page in machine.cache.count > 0 ? [1, 2] : [] {
            print.mix(answeredAt[page].map { Int(now.microseconds - $0.microseconds) } ?? -1)
        }
        for group in machine.groups { print.mix(group.gate.queued) }
    }
}
