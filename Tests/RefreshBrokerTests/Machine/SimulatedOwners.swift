import BrokerBench
import RefreshProtocol
import Workbench

@testable import RefreshBroker

/// The other nodes of a cluster, at random: they answer, answer late, answer twice, never answer,
/// refuse, and vanish.
struct SimulatedOwners {
    static let own = NodeID(bits: 1)
    static let others = [NodeID(bits: 2), NodeID(bits: 3)]

    /// Whether the nodes come and go all the time.
    private let vanishesOften: Bool

    init(seed: UInt64) { vanishesOften = seed % 2 == 1 }

    /// Returns the next event of the cluster; nil if nothing happens.
    func event(
        _ harness: BrokerHarness, _ generator: inout SeededGenerator
    ) -> BrokerHarness.Machine.Event? {
        switch Int.random(in: 0..<20, using: &generator) {
        case 0..<4:
            guard harness.machine.owners == nil || vanishesOften else { return nil }
            return .ownersChanged(Self.owners(&generator))
        case 4:
            return .ownersChanged(Self.owners(&generator))
        case 5..<12:
            return ownerEvent(harness, &generator)
        default:
            return nil
        }
    }

    private static func owners(_ generator: inout SeededGenerator) -> RequestOwners? {
        let live = others.filter { _ in Int.random(in: 0..<3, using: &generator) > 0 }
        return live.isEmpty ? nil : RequestOwners(own: own, live: live + [own])
    }

    /// Returns an event of one of the last asks. The ask can have ended.
    private func ownerEvent(
        _ harness: BrokerHarness, _ generator: inout SeededGenerator
    ) -> BrokerHarness.Machine.Event {
        let live = harness.asks.keys.sorted { $0.number < $1.number }
        let id: CallID
        if let ask = live.randomElement(using: &generator),
            Int.random(in: 0..<6, using: &generator) > 0
        {
            id = ask
        } else {
            id = CallID(.random(in: 1...30, using: &generator))
        }
        let failure = LoadFailure(.backendFailed, "no")
        switch Int.random(in: 0..<9, using: &generator) {
        case 0, 1:
            return .ownerEvent(.waiting, id)
        case 2:
            return .ownerEvent(.progressed(.random(in: -1...2, using: &generator)), id)
        case 3:
            return .ownerEvent(.retrying(attempt: 2, afterMs: 10, failure), id)
        case 4:
            return .ownerEvent(.failed(failure), id)
        case 5:
            let refusal = OwnerRefusal.allCases.randomElement(using: &generator)
            return .ownerEvent(.refused(refusal ?? .busy), id)
        default:
            var page = Page.of(Int.random(in: 0...3, using: &generator))
            page.cursor = harness.asks[id].map { Page.mark(of: $0.order.request) }
            return .ownerEvent(.page(page, Self.lifetime(&generator)), id)
        }
    }

    private static func lifetime(_ generator: inout SeededGenerator) -> RemainingLifetime {
        func pick(_ values: [Int]) -> Int { values.randomElement(using: &generator) ?? 0 }
        return RemainingLifetime(
            freshMs: pick([-1, 0, 5, 100]), coolDownMs: pick([0, 10, 100]),
            ageMs: pick([0, 0, 20]))
    }
}
