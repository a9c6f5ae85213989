import Glibc
import Testing

@testable import RefreshBroker

@Suite("The threads of the daemon")
struct ServiceThreadTests {
    @Test("Only a thread with isBatch has the policy SCHED_BATCH", arguments: [false, true])
    func policy(isBatch: Bool) throws {
        let policies = Mailbox<Int32>()
        let thread = try #require(
            ServiceThread(isBatch: isBatch) { policies.post(sched_getscheduler(0)) })
        thread.join()
        let own = sched_getscheduler(0)
        // SCHED_BATCH is 3. An operator may have chosen another policy than SCHED_OTHER.
        let expected = isBatch && own == SCHED_OTHER ? 3 : own
        #expect(policies.close() == [expected])
    }
}
