import RefreshBroker
import RefreshCluster
import Testing

@Suite("Subjects of workers on the bus")
struct WorkerSubjectsTests {
    private static let own = NodeID(bits: 0x9f86_d081_884c_7d65)
    private var subjects = WorkerSubjects(cluster: "production", own: own)
    private let answer = "refreshd.production.node.9f86d081884c7d65.load."

    @Test("The subjects are those of the documentation")
    mutating func texts() {
        #expect(subjects.answers == answer + "*")
        #expect(subjects.answer(to: .max) == answer + "18446744073709551615")
        #expect(subjects.worker(0xAB) == "refreshd.production.worker.00000000000000ab")
        #expect(subjects.work(of: "songs-1_a") == "refreshd.production.work.songs-1_a")
        #expect(subjects.work(of: "a.b..c.") == "refreshd.production.work.a%2Eb%2E%2Ec%2E")
        #expect(subjects.addChanges(of: "a.b") == "refreshd.production.work.a%2Eb.changed")
        #expect(subjects.addChanges(of: "a.b") == nil)
    }

    @Test("Names of feeds that differ have different subjects")
    func distinct() {
        let feeds = ["changed", "a", "a.changed", "a-2Echanged", "A", "a_b", "a.b", "a..b"]
        #expect(Set(feeds.map(subjects.work(of:))).count == feeds.count)
    }

    @Test("An answer states its offer and, by its reply subject, its worker")
    func answers() {
        let worker = "refreshd.production.worker.00000000000000ab"
        #expect(
            subjects.arrival(on: answer + "17", replySubject: worker)
                == .answer(offer: 17, worker: 0xAB))
        #expect(
            subjects.arrival(on: answer + "0", replySubject: nil)
                == .answer(offer: 0, worker: nil))
    }

    @Test(
        "A reply subject that is not the one of a worker is ignored",
        arguments: [
            "", "refreshd.production.all", "refreshd.production.worker.",
            "refreshd.production.worker.ab", "refreshd.production.worker.00000000000000AB",
            "refreshd.production.worker.00000000000000ab.x", "refreshd.production.worker.*",
            "refreshd.other.worker.00000000000000ab", "_INBOX.x",
        ])
    func foreignReply(_ reply: String) {
        #expect(
            subjects.arrival(on: answer + "17", replySubject: reply)
                == .answer(offer: 17, worker: nil))
    }

    @Test(
        "An answer whose offer is not a number states no worker, so that it is dropped",
        arguments: ["", "x", "017", "+1", "-1", "18446744073709551616", "1.2", "*"])
    func malformedOffer(_ text: String) {
        let worker = subjects.worker(1)
        #expect(
            subjects.arrival(on: answer + text, replySubject: worker)
                == .answer(offer: 0, worker: nil))
    }

    @Test("Only the changes of added feeds are received, and no other subjects")
    mutating func changes() {
        let subject = subjects.addChanges(of: "a.b") ?? ""
        #expect(subjects.arrival(on: subject, replySubject: "x") == .change(feed: "a.b"))
        for other in [
            "refreshd.production.work.c.changed", "refreshd.production.work.a%2Eb",
            "refreshd.production.all", "refreshd.production.node.9f86d081884c7d65", "",
        ] {
            #expect(subjects.arrival(on: other, replySubject: nil) == nil)
        }
    }
}
