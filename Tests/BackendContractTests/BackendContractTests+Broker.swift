import RefreshBroker
import RefreshProtocol
import Testing
import Workbench

/// The clauses of the contract that the broker ensures for every backend.
extension BackendContractTests {
    @Test(
        "A hundred equal requests cause one call, and each receives its page once",
        arguments: cases([.list]))
    func singleFlight(_ subject: ContractCase) async throws {
        let rig = try await subject.rig()
        let world = BrokerWorld(rig)
        for waiter in 0..<100 { world.start(rig.refresh, for: waiter) }
        #expect(await becomesTrue { world.backend.running == 1 })
        world.backend.open()
        #expect(await becomesTrue { world.outcomes.count == 100 })
        world.broker.stop()
        #expect(world.backend.requests.count == 1)
        #expect(world.outcomes.values.allSatisfy { $0.count == 1 })
        #expect(Set(world.outcomes.values.flatMap { $0 }).count == 1)
        guard case .page(let page)? = world.outcomes[0]?.first else {
            Issue.record("no page: \(String(describing: world.outcomes[0]))")
            return
        }
        #expect(page.count == 20)
    }

    @Test(
        "Users share an answer only if the feed is shared",
        arguments: cases([.list]), [false, true])
    func subjects(_ subject: ContractCase, _ isShared: Bool) async throws {
        let rig = try await subject.rig()
        var policy = FeedPolicy()
        policy.isShared = isShared
        let world = BrokerWorld(rig, policy: policy)
        for (waiter, name) in ["anna", "ben", "anna", nil].enumerated() {
            var request = rig.refresh
            request.subject = name
            world.start(request, for: waiter)
        }
        let calls = isShared ? 1 : 3
        #expect(await becomesTrue { world.backend.running == calls })
        world.backend.open()
        #expect(await becomesTrue { world.outcomes.count == 4 })
        world.broker.stop()
        #expect(world.backend.requests.count == calls)
        let seen = Set(world.backend.requests.map(\.subject))
        #expect(seen == (isShared ? [nil] : ["anna", "ben", nil]))
        #expect(world.outcomes.values.allSatisfy { $0.count == 1 })
    }

    @Test(
        "The call ends when its last waiter leaves, and not earlier",
        arguments: cases([.hanging]))
    func lastLeaves(_ subject: ContractCase) async throws {
        let rig = try await subject.rig()
        let world = BrokerWorld(rig, isOpen: true)
        world.start(rig.fatal ?? rig.refresh, for: 1)
        world.start(rig.fatal ?? rig.refresh, for: 2)
        #expect(await becomesTrue { world.backend.running == 1 })
        world.broker.cancel(1)
        #expect(await becomesTrue { world.outcomes[1] == [.cancelled] })
        #expect(world.backend.running == 1 && world.outcomes[2] == nil)
        world.broker.cancel(2)
        #expect(await becomesTrue { world.backend.running == 0 })
        world.broker.stop()
        #expect(world.outcomes == [1: [.cancelled], 2: [.cancelled]])
        #expect(world.backend.requests.count == 1)
    }

    @Test(
        "A call without an answer ends at the deadline, and the next call succeeds",
        arguments: cases([.hanging]))
    func deadline(_ subject: ContractCase) async throws {
        let rig = try await subject.rig()
        let world = BrokerWorld(rig, isOpen: true)
        world.start(rig.fatal ?? rig.refresh, for: 1, deadlineMs: 200)
        #expect(await becomesTrue { world.outcomes[1] == [.timedOut] })
        #expect(await becomesTrue { world.backend.running == 0 })
        try await rig.heal()
        world.start(rig.refresh, for: 2)
        #expect(await becomesTrue { world.outcomes[2] != nil })
        world.broker.stop()
        guard case .page(let page)? = world.outcomes[2]?.first else {
            Issue.record("no page: \(String(describing: world.outcomes[2]))")
            return
        }
        #expect(page.count == 1 && world.outcomes[1] == [.timedOut])
    }

    @Test("When a broker stops, every load ends as cancelled", arguments: cases([.hanging]))
    func stop(_ subject: ContractCase) async throws {
        let rig = try await subject.rig()
        let world = BrokerWorld(rig, isOpen: true)
        for waiter in 0..<10 { world.start(rig.fatal ?? rig.refresh, for: waiter) }
        #expect(await becomesTrue { world.backend.running == 1 })
        world.broker.stop()
        #expect(world.outcomes.count == 10)
        #expect(world.outcomes.values.allSatisfy { $0 == [.cancelled] })
        #expect(await becomesTrue { world.backend.running == 0 })
    }

    @Test(
        "If a call fails, every waiter receives the failure with its code once",
        arguments: cases(Behaviour.faults + Behaviour.failures))
    func faultsOfMany(_ subject: ContractCase) async throws {
        let rig = try await subject.rig()
        let world = BrokerWorld(rig)
        for waiter in 0..<10 { world.start(rig.fatal ?? rig.refresh, for: waiter) }
        #expect(await becomesTrue { world.backend.running == 1 })
        world.backend.open()
        #expect(await becomesTrue { world.outcomes.count == 10 })
        world.broker.stop()
        var code = rig.code
        if case .failing(let failing, _) = subject.behaviour { code = failing }
        for (waiter, outcomes) in world.outcomes {
            guard case .failed(let failure)? = outcomes.first, outcomes.count == 1 else {
                Issue.record("\(waiter): \(outcomes)")
                continue
            }
            #expect(failure.code == code)
        }
    }
}
