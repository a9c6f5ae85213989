import Glibc
import Testing

@testable import MessageBus

@Suite("The threads of libnats")
struct NATSLibraryTests {
    @Test("They have the policy SCHED_BATCH, and the thread that creates them keeps its own")
    func policy() {
        // The main function of the thread.
        let main: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { _ in
            unsafe UnsafeMutableRawPointer(bitPattern: Int(sched_getscheduler(0)) + 1)
        }
        let own = sched_getscheduler(0)
        var thread: pthread_t = 0
        var policy: UnsafeMutableRawPointer?
        NATSLibrary.asBatch { _ = unsafe pthread_create(&thread, nil, main, nil) }
        unsafe pthread_join(thread, &policy)
        // SCHED_BATCH is 3. An operator may have chosen another policy than SCHED_OTHER.
        #expect(Int(bitPattern: policy) - 1 == (own == SCHED_OTHER ? 3 : Int(own)))
        #expect(sched_getscheduler(0) == own)
    }
}
