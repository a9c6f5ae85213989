import Cryptography
import RefreshEngine
import RefreshProtocol
import Testing

@testable import RefreshConfiguration
@testable import RefreshServer
@testable import RefreshSession
@testable import SealedSnapshots

/// The sizes of sealed snapshots must match docs/protocol.md.
@Suite("The size of snapshots")
struct SnapshotSizeTests {
    private static let seal = SnapshotSeal(
        KeyRing(
            first: SealingKey(id: "k1", secret: .init([UInt8](repeating: 1, count: 32)))),
        limits: Limits())

    /// Returns a typical session: it has one page of items, and loads the next page.
    private static func session(_ profile: Profile, views: Int, items: Int) -> ConversationFixture {
        let fixture = ConversationFixture(name: "5f0c2b7a90d1e344", subject: "anna")
        fixture.send(#"{"type":"hello","protocol":1,"snapshots":true}"#, at: .origin)
        for number in 0..<views {
            let (id, seq) = ("list\(number)", number * 4)
            fixture.send(
                """
                {"type":"attach","seq":\(seq + 1),"view":"\(id)","profile":"\(profile.rawValue)",
                 "feed":"songs","parameters":{"q":"\(number)"},"geometry":{
                 "viewport":{"width":411.4,"height":731.4},"content":{"width":411.4,"height":0},
                 "insets":{"top":59,"left":0,"bottom":34,"right":0}}}
                """, at: Instant(milliseconds: 7413.25))
            fixture.send(
                #"{"type":"refresh","view":"\#(id)","seq":\#(seq + 2)}"#,
                at: Instant(milliseconds: 7613.11))
            for ticket in fixture.pending {
                fixture.loadEnded(
                    ticket, ConversationFixture.page(0..<items, more: true),
                    at: Instant(milliseconds: 7713.7))
            }
            fixture.send(
                """
                {"type":"geometry","view":"\(id)","seq":\(seq + 3),
                 "content":{"width":411.4,"height":4444.5}}
                """, at: Instant(milliseconds: 7730.1))
            fixture.send(
                #"{"type":"loadMore","view":"\#(id)","seq":\#(seq + 4)}"#,
                at: Instant(milliseconds: 9144.2))
        }
        return fixture
    }

    private static func textCount(_ profile: Profile, views: Int, items: Int) throws -> Int {
        let fixture = session(profile, views: views, items: items)
        let snapshot = fixture.snapshot
        #expect(snapshot.session.views.allSatisfy { $0.feed?.shownItems.count == items })
        return try #require(seal.seal(snapshot, at: Instant(milliseconds: 9144.2))).text.utf8.count
    }

    @Test(
        "A snapshot of one view takes less than 640 characters, whatever its profile",
        arguments: Profile.allCases)
    func typicalView(profile: Profile) throws {
        let count = try Self.textCount(profile, views: 1, items: 0)
        print("a view of \(profile): \(count) characters")
        #expect(count < 640)
    }

    @Test("Each further view takes less than 130 characters, and each item takes 11")
    func more() throws {
        let one = try Self.textCount(.default, views: 1, items: 0)
        let ten = try Self.textCount(.default, views: 10, items: 0)
        let items = try Self.textCount(.default, views: 1, items: 100)
        print("ten views: \(ten) characters; 100 items: \(items - one)")
        #expect(ten - one < 9 * 130)
        #expect(abs(items - one - 100 * 32 / 3) < 30)
    }

    @Test("The compression dictionary of snapshots is the same as in the first version")
    func dictionary() {
        let digest = SHA256.digest(of: SnapshotDictionary.bytes)
        #expect(digest.prefix(8) == [0x13, 0x5F, 0x2A, 0x94, 0xD6, 0x0E, 0x7C, 0x01])
        #expect(SnapshotDictionary.bytes.count == 4651)
    }
}
