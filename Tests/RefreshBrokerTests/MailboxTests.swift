import RefreshProtocol
import Testing

@testable import RefreshBroker

/// A mailbox is a queue of messages to one thread.
@Suite("Mailboxes")
struct MailboxTests {
    @Test("The storage of 100,000 messages is released, and the storage of 1,000 is reused")
    func reusesCapacity() {
        let mailbox = Mailbox<Int>()
        var taken: [Int] = []
        for number in 0..<100_000 { mailbox.post(number) }
        mailbox.receive(into: &taken, until: nil)
        #expect(taken == Array(0..<100_000))
        // The mailbox uses two arrays alternately. Neither array may keep the large storage.
        for round in 0..<4 {
            mailbox.post(round)
            mailbox.receive(into: &taken, until: nil)
            #expect(taken == [round])
            #expect(taken.capacity <= 4096, "round \(round)")
        }
        for number in 0..<1000 { mailbox.post(number) }
        mailbox.receive(into: &taken, until: nil)
        let capacity = taken.capacity
        for _ in 0..<2 {
            mailbox.post(1)
            mailbox.receive(into: &taken, until: nil)
        }
        #expect(taken.capacity == capacity)
    }

    @Test("The storage of 100,000 messages is released even if no message follows")
    func quiet() {
        let mailbox = Mailbox<Int>()
        var taken: [Int] = []
        for number in 0..<100_000 { mailbox.post(number) }
        mailbox.receive(into: &taken, until: nil)
        for _ in 0..<2 {
            mailbox.receive(into: &taken, until: .origin)
            #expect(taken.isEmpty && taken.capacity <= 4096)
        }
    }
}
