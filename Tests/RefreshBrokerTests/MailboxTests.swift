import RefreshProtocol
import Testing

@testable import RefreshBroker

@Suite("Messages for one thread")
struct MailboxTests {
    @Test("The room of a flood is given back, that of a few messages serves again")
    func room() {
        let mailbox = Mailbox<Int>()
        var taken: [Int] = []
        for number in 0..<100_000 { mailbox.post(number) }
        mailbox.receive(into: &taken, until: nil)
        #expect(taken == Array(0..<100_000))
        // Two lists take turns: what is given back is neither of them.
        for round in 0..<4 {
            mailbox.post(round)
            mailbox.receive(into: &taken, until: nil)
            #expect(taken == [round])
            #expect(taken.capacity <= 4096, "round \(round)")
        }
        for number in 0..<1000 { mailbox.post(number) }
        mailbox.receive(into: &taken, until: nil)
        let room = taken.capacity
        for _ in 0..<2 {
            mailbox.post(1)
            mailbox.receive(into: &taken, until: nil)
        }
        #expect(taken.capacity == room)
    }

    @Test("A flood's room is given back though nothing comes after it")
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
