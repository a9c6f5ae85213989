import RefreshBroker
import RefreshProtocol
import Testing
import Workbench

/// The clauses of the contract that the broker ensures for every backend.
extension BackendContractTests {
    @Test(
        "A hundred equal requests cause one call, and each request receives the page once",
        arguments: cases([.list]))
    func singleFlight(_ subject: ContractCase) async throws {
        let rig = try await subject.rig()
        let harness = BrokerHarness(rig)
        for waiter in 0..<100 { harness.start(rig.refresh, for: waiter) }
        #expect(await becomesTrue { harness.backend.running == 1 })
        harness.backend.open()
        #expect(await becomesTrue { harness.outcomes.count == 100 })
        harness.broker.stop()
        #expect(harness.backend.requests.count == 1)
        #expect(harness.outcomes.values.allSatisfy { $0.count == 1 })
        #expect(Set(harness.outcomes.values.flatMap { $0 }).count == 1)
        guard case .page(let page)? = harness.outcomes[0]?.first else {
            Issue.record("the outcome is not a page: \(String(describing: harness.outcomes[0]))")
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
        let harness = BrokerHarness(rig, policy: policy)
        for (waiter, name) in ["anna", "ben", "anna", nil].enumerated() {
            var request = rig.refresh
            request.subject = name
            harness.start(request, for: waiter)
        }
        let calls = isShared ? 1 : 3
        #expect(await becomesTrue { harness.backend.running == calls })
        harness.backend.open()
        #expect(await becomesTrue { harness.outcomes.count == 4 })
        harness.broker.stop()
        #expect(harness.backend.requests.count == calls)
        let seen = Set(harness.backend.requests.map(\.subject))
        #expect(seen == (isShared ? [nil] : ["anna", "ben", nil]))
        #expect(harness.outcomes.values.allSatisfy { $0.count == 1 })
    }

    @Test(
        "A call ends when the last load that waits for it is cancelled, and not earlier",
        arguments: cases([.hanging]))
    func lastLeaves(_ subject: ContractCase) async throws {
        let rig = try await subject.rig()
        let harness = BrokerHarness(rig, isOpen: true)
        harness.start(rig.fatal ?? rig.refresh, for: 1)
        harness.start(rig.fatal ?? rig.refresh, for: 2)
        #expect(await becomesTrue { harness.backend.running == 1 })
        harness.broker.cancel(1)
        #expect(await becomesTrue { harness.outcomes[1] == [.cancelled] })
        #expect(harness.backend.running == 1 && harness.outcomes[2] == nil)
        harness.broker.cancel(2)
        #expect(await becomesTrue { harness.backend.running == 0 })
        harness.broker.stop()
        #expect(harness.outcomes == [1: [.cancelled], 2: [.cancelled]])
        #expect(harness.backend.requests.count == 1)
    }

    @Test(
        "A call without an answer ends at the deadline, and the next call succeeds",
        arguments: cases([.hanging]))
    func deadline(_ subject: ContractCase) async throws {
        let rig = try await subject.rig()
        let harness = BrokerHarness(rig, isOpen: true)
        harness.start(rig.fatal ?? rig.refresh, for: 1, deadlineMs: 200)
        #expect(await becomesTrue { harness.outcomes[1] == [.timedOut] })
        #expect(await becomesTrue { harness.backend.running == 0 })
        try await rig.heal()
        harness.start(rig.refresh, for: 2)
        #expect(await becomesTrue { harness.outcomes[2] != nil })
        harness.broker.stop()
        guard case .page(let page)? = harness.outcomes[2]?.first else {
            Issue.record("the outcome is not a page: \(String(describing: harness.outcomes[2]))")
            return
        }
        #expect(page.count == 1 && harness.outcomes[1] == [.timedOut])
    }

    @Test("When a broker stops, every load ends as cancelled", arguments: cases([.hanging]))
    func stop(_ subject: ContractCase) async throws {
        let rig = try await subject.rig()
        let harness = BrokerHarness(rig, isOpen: true)
        for waiter in 0..<10 { harness.start(rig.fatal ?? rig.refresh, for: waiter) }
        #expect(await becomesTrue { harness.backend.running == 1 })
        harness.broker.stop()
        #expect(harness.outcomes.count == 10)
        #expect(harness.outcomes.values.allSatisfy { $0 == [.cancelled] })
        #expect(await becomesTrue { harness.backend.running == 0 })
    }

    @Test(
        "If a call fails, each load that waits for it fails once with the code of the failure",
        arguments: cases(Behaviour.faults + Behaviour.failures))
    func faultsOfMany(_ subject: ContractCase) async throws {
        let rig = try await subject.rig()
        let harness = BrokerHarness(rig)
        for waiter in 0..<10 { harness.start(rig.fatal ?? rig.refresh, for: waiter) }
        #expect(await becomesTrue { harness.backend.running == 1 })
        harness.backend.open()
        #expect(await becomesTrue { harness.outcomes.count == 10 })
        harness.broker.stop()
        var code = rig.code
        if case .failing(let failing, _) = subject.behaviour { code = failing }
        for (waiter, outcomes) in harness.outcomes {
            guard case .failed(let failure)? = outcomes.first, outcomes.count == 1 else {
                Issue.record("\(waiter): \(outcomes)")
                continue
            }
            #expect(failure.code == code)
        }
    }
}
