import Cryptography
import Foundation
import RefreshBroker
import RefreshEngine
import RefreshProtocol
import Synchronization
import Testing

@testable import RefreshConfiguration
@testable import RefreshServer
@testable import RefreshSession
@testable import SealedSnapshots

/// The daemon opens a sealed session only for the client that received it, only if it is unchanged,
/// and only within its lifetime.
@Suite("Sealed snapshots")
struct SnapshotSealTests {
    /// A seal, with the wall clock that it reads, in milliseconds.
    private final class Rig: Sendable {
        let seal: SnapshotSeal
        private let wall: Wall

        private final class Wall: Sendable {
            let time = Mutex<Int64>(1_795_262_400_000)
        }

        init(_ ring: KeyRing = KeyRing(first: Rig.key("k1", 1)), limits: Limits = Limits()) {
            let wall = Wall()
            self.wall = wall
            seal = SnapshotSeal(ring, limits: limits) { wall.time.withLock { $0 } }
        }

        func pass(milliseconds: Int64) { wall.time.withLock { $0 += milliseconds } }

        static func key(_ id: String, _ byte: UInt8) -> SealingKey {
            SealingKey(
                id: id, secret: SymmetricKey([UInt8](repeating: byte, count: 32)))
        }
    }

    private static let now = Instant(milliseconds: 90_000)
    private static let claim = SnapshotClaim(session: "5f0c", token: "token", subject: "anna")

    private static func session(views: Int = 1, items: Int = 0) -> SessionSnapshot {
        let fixture = ConversationFixture(subject: "anna")
        fixture.send(#"{"type":"hello","protocol":1,"snapshots":true}"#, at: .origin)
        for number in 0..<views {
            fixture.send(
                #"{"type":"attach","seq":\#(number + 1),"view":"v\#(number)","profile":"default","feed":"songs"}"#,
                at: .origin)
        }
        var snapshot = fixture.snapshot
        snapshot.subject = "anna"
        for index in snapshot.session.views.indices {
            snapshot.session.views[index].feed?.shownItems = Self.hashes(items, from: index)
        }
        return snapshot
    }

    /// Returns numbers that look random, like hashes.
    private static func hashes(_ count: Int, from seed: Int) -> [UInt64] {
        var random = SeededRandom(seed: UInt64(seed))
        return (0..<count).map { _ in random.next() }
    }

    private func refusal(
        _ rig: Rig, _ text: String, _ claim: SnapshotClaim = claim, at now: Instant = now
    ) -> ResumeRefusal? {
        do throws(ResumeRefusal) {
            _ = try rig.seal.open(text, for: claim, at: now)
            return nil
        } catch {
            return error
        }
    }

    private func sealed(_ rig: Rig, _ session: SessionSnapshot = session()) throws -> String {
        try #require(rig.seal.seal(session, at: Self.now)).text
    }

    @Test("A sealed session is opened unchanged by any daemon with the same key")
    func opens() throws {
        let session = Self.session(views: 3, items: 40)
        let sealed = try #require(Rig().seal.seal(session, at: Self.now))
        #expect(sealed.expiresMs == Limits().snapshotLifetimeMs)
        #expect(sealed.text.hasPrefix("v2.k1."))
        #expect(sealed.text.utf8.count <= Limits().snapshotBytesMax)
        let plain = sealed.text.utf8.allSatisfy {
            (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
                || $0 == 0x2D || $0 == 0x2E || $0 == 0x5F
        }
        #expect(plain)
        var opened = try Rig().seal.open(sealed.text, for: Self.claim, at: Self.now)
        opened.sealedAt = nil
        opened.itemHash = nil
        #expect(opened == session)
    }

    @Test("Each sealing gives another text, so an observer cannot see whether the session changed")
    func isNeverTheSame() throws {
        let rig = Rig()
        #expect(try sealed(rig) != sealed(rig))
    }

    /// Returns the salt, which is at the beginning of the last part.
    private func salt(_ text: String) throws -> [UInt8] {
        let body = try #require(text.split(separator: ".").last)
        return Array(try #require(Base64URL.bytes(of: body)).prefix(DerivedKey.saltCount))
    }

    @Test("After a start, a daemon seals with a newly derived key, and opens earlier texts")
    func eachStart() throws {
        let (one, other) = (Rig(), Rig())
        let texts = [try sealed(one), try sealed(one), try sealed(other)]
        let salts = try texts.map(salt)
        #expect(salts[0] == salts[1] && salts[0] != salts[2])
        for text in texts {
            #expect(refusal(one, text) == nil && refusal(other, text) == nil)
        }
        // Neither the key of the ring itself nor a key with another salt opens any of the texts.
        let body = try #require(Base64URL.bytes(of: texts[0].dropFirst("v2.k1.".count)[...]))
        for secret in [
            Rig.key("k1", 1).secret, DerivedKey(Rig.key("k1", 1), salt: salts[2]).secret,
        ] {
            let sealed = body.dropFirst(DerivedKey.saltCount)
            #expect(
                AES256GCM.open(sealed, by: secret, authenticating: Array("v2.k1.".utf8)) == nil)
        }
        // After a reload, new keys use a new salt.
        one.seal.replaceKeys(with: KeyRing(first: Rig.key("k1", 1)))
        #expect(try salt(sealed(one)) != salts[0] && refusal(one, texts[0]) == nil)
    }

    @Test("A text of an older daemon without salts is opened unchanged")
    func old() throws {
        let session = Self.session(views: 2, items: 5)
        let text = try sealed(Rig(), session)
        let key = DerivedKey(Rig.key("k1", 1), salt: try salt(text))
        let body = try #require(Base64URL.bytes(of: text.dropFirst("v2.k1.".count)[...]))
        let packed = try #require(
            AES256GCM.open(
                body.dropFirst(DerivedKey.saltCount), by: key.secret,
                authenticating: Array("v2.k1.".utf8)))
        let sealed = try #require(
            AES256GCM.seal(
                packed, by: Rig.key("k1", 1).secret, authenticating: Array("v1.k1.".utf8)))
        let old = "v1.k1." + Base64URL.text(of: sealed)
        var opened = try Rig().seal.open(old, for: Self.claim, at: Self.now)
        opened.sealedAt = nil
        opened.itemHash = nil
        #expect(opened == session)
        #expect(refusal(Rig(KeyRing(first: Rig.key("k1", 2))), old) == .snapshotInvalid)
        #expect(refusal(Rig(), "v2" + old.dropFirst(2)) == .snapshotInvalid)
    }

    @Test("A sealed text reveals none of its content")
    func isOpaque() throws {
        let text = try sealed(Rig())
        let body = try #require(text.split(separator: ".").last)
        let bytes = try #require(Base64URL.bytes(of: body))
        for word in ["anna", "5f0c", "songs", "engine"] {
            #expect(Data(bytes).range(of: Data(word.utf8)) == nil)
        }
    }

    @Test("If any one character is changed, the text is invalid")
    func flips() throws {
        let rig = Rig()
        let text = Array(try sealed(rig).utf8)
        for index in text.indices {
            var other = text
            other[index] ^= [0x01, 0x06, 0x20][index % 3]
            let refusal = refusal(rig, String(decoding: other, as: UTF8.self))
            try #require(refusal == .snapshotInvalid, "\(index)")
        }
    }

    @Test("If any one byte is changed before the encoding, the text is invalid")
    func byteFlips() throws {
        let rig = Rig()
        let text = try sealed(rig)
        let body = try #require(text.split(separator: ".").last)
        let bytes = try #require(Base64URL.bytes(of: body))
        for index in bytes.indices {
            var other = bytes
            other[index] ^= 1 << (index % 8)
            let refusal = refusal(rig, "v2.k1." + Base64URL.text(of: other))
            try #require(refusal == .snapshotInvalid, "\(index)")
        }
    }

    @Test("A truncated or extended text is invalid")
    func truncated() throws {
        let rig = Rig()
        let text = try sealed(rig)
        for count in 0..<text.count {
            try #require(refusal(rig, String(text.prefix(count))) == .snapshotInvalid, "\(count)")
            try #require(refusal(rig, String(text.suffix(count))) == .snapshotInvalid, "\(count)")
        }
        for more in ["A", "=", ".", ".A", "\n", " "] {
            #expect(refusal(rig, text + more) == .snapshotInvalid, "\(more)")
        }
        for other in [
            "", ".", "..", "v2..", "v2.k1.", "v2.k1.AAAA", "v1.k1.", "v1.k1.AAAA",
            "v1." + text.dropFirst(3), "v3." + text.dropFirst(3), "é.é.é",
        ] {
            #expect(refusal(rig, other) == .snapshotInvalid, "\(other)")
        }
    }

    @Test("A text opens with each key of the ring, and with no other key")
    func rings() throws {
        let (old, new) = (Rig.key("k1", 1), Rig.key("k2", 2))
        let text = try sealed(Rig(KeyRing(first: old)))
        let both = Rig(KeyRing(first: new, others: [old]))
        #expect(refusal(both, text) == nil)
        #expect(try sealed(both).hasPrefix("v2.k2."))
        #expect(refusal(Rig(KeyRing(first: new)), text) == .snapshotInvalid)
        // A different key with the same name, and the same key with a different name, do not open
        // the text.
        #expect(refusal(Rig(KeyRing(first: Rig.key("k1", 2))), text) == .snapshotInvalid)
        let renamed = "v2.k2." + text.dropFirst("v2.k1.".count)
        let twins = Rig(KeyRing(first: Rig.key("k2", 1), others: [old]))
        #expect(refusal(twins, renamed) == .snapshotInvalid)
        #expect(refusal(twins, text) == nil)
    }

    @Test("New keys apply after the reload that loads them")
    func takesKeys() throws {
        let (old, new) = (Rig.key("k1", 1), Rig.key("k2", 2))
        let rig = Rig(KeyRing(first: old))
        let text = try sealed(rig)
        rig.seal.replaceKeys(with: KeyRing(first: new, others: [old]))
        #expect(refusal(rig, text) == nil)
        #expect(try sealed(rig).hasPrefix("v2.k2."))
        rig.seal.replaceKeys(with: KeyRing(first: new))
        #expect(refusal(rig, text) == .snapshotInvalid)
    }

    @Test("A text is valid only for its subject, its token and its session")
    func claims() throws {
        let rig = Rig()
        let text = try sealed(rig)
        func refusal(_ session: String, _ token: String, _ subject: String?) -> ResumeRefusal? {
            self.refusal(rig, text, SnapshotClaim(session: session, token: token, subject: subject))
        }
        #expect(refusal("5f0c", "token", "anna") == nil)
        #expect(refusal("5f0c", "token", "berta") == .otherSubject)
        #expect(refusal("5f0c", "token", nil) == .otherSubject)
        #expect(refusal("5f0c", "toke", "anna") == .wrongToken)
        #expect(refusal("5f0c", "", "anna") == .wrongToken)
        #expect(refusal("5f0d", "token", "anna") == .snapshotInvalid)
        var anonymous = Self.session()
        anonymous.subject = nil
        let open = try sealed(rig, anonymous)
        #expect(self.refusal(rig, open) == .otherSubject)
        #expect(
            self.refusal(rig, open, SnapshotClaim(session: "5f0c", token: "token", subject: nil))
                == nil)
    }

    @Test("snapshotLifetimeMs: a text is valid up to the last millisecond of its lifetime")
    func expires() throws {
        var limits = Limits()
        limits.snapshotLifetimeMs = 5000
        let rig = Rig(limits: limits)
        let text = try sealed(rig)
        rig.pass(milliseconds: 5000)
        #expect(refusal(rig, text) == nil)
        rig.pass(milliseconds: 1)
        #expect(refusal(rig, text) == .snapshotExpired)
    }

    @Test("A text whose time of sealing is up to a lifetime in the future opens like a new text")
    func future() throws {
        var limits = Limits()
        limits.snapshotLifetimeMs = 5000
        let rig = Rig(limits: limits)
        let text = try sealed(rig)
        rig.pass(milliseconds: -5000)
        #expect(refusal(rig, text) == nil)
        rig.pass(milliseconds: -1)
        #expect(refusal(rig, text) == .snapshotInvalid)
    }

    @Test("The session ages by the time since its sealing", arguments: [0, 1, 250, 60_000, -3000])
    func timePasses(milliseconds: Int64) throws {
        let rig = Rig()
        var snapshot = Self.session()
        var effects: [Effect] = []
        snapshot.session.views[0].engine.handle(
            .refreshRequested(cause: .code, animated: true), at: Self.now, into: &effects)
        let deadline = snapshot.session.views[0].engine.deadlines.refreshLoad
        let text = try sealed(rig, snapshot)
        rig.pass(milliseconds: milliseconds)
        // The process that opens the text has just started.
        let start = Instant(milliseconds: 3)
        let opened = try rig.seal.open(text, for: Self.claim, at: start)
        let left = deadline.milliseconds(since: Self.now) - Double(max(0, milliseconds))
        #expect(
            opened.session.views[0].engine.deadlines.refreshLoad
                == start.advanced(byMilliseconds: left))
        #expect(
            opened.session.views[0].engine.nextDeadline
                == opened.session.views[0].engine.deadlines.next)
    }

    @Test("snapshotBytesMax: old hashes are dropped; if that does not suffice, nothing is sealed")
    func size() throws {
        var limits = Limits()
        limits.snapshotBytesMax = 1024
        let rig = Rig(limits: limits)
        let many = Self.session(views: 32)
        #expect(rig.seal.seal(many, at: Self.now) == nil)
        let snapshot = Self.session(views: 2, items: 5000)
        let text = try sealed(rig, snapshot)
        #expect((1010...1024).contains(text.utf8.count))
        let opened = try rig.seal.open(text, for: Self.claim, at: Self.now)
        let kept = opened.session.views.map { $0.feed?.shownItems ?? [] }
        for (view, hashes) in zip(snapshot.session.views, kept) {
            #expect(hashes == view.feed?.shownItems.suffix(hashes.count))
        }
        #expect(kept[0].count > 8 && abs(kept[0].count - kept[1].count) <= 1)
    }

    @Test(
        "Hashes are dropped only above the limit, and views with few hashes leave space to others"
    )
    func sharing() {
        let lists: [[UInt64]] = [[1, 2, 3], [], Array(10..<30), Array(40..<60)]
        #expect(SnapshotPacking.newest(lists, most: 100).map(\.count) == [3, 0, 20, 20])
        #expect(SnapshotPacking.newest(lists, most: 43).map(\.count) == [3, 0, 20, 20])
        #expect(SnapshotPacking.newest(lists, most: 33).map(\.count) == [3, 0, 15, 15])
        #expect(SnapshotPacking.newest(lists, most: 33)[2].elementsEqual(15..<30))
        #expect(SnapshotPacking.newest(lists, most: 2).map(\.count) == [0, 0, 1, 1])
        #expect(SnapshotPacking.newest(lists, most: 0).map(\.count) == [0, 0, 0, 0])
        #expect(SnapshotPacking.newest([], most: 5).isEmpty)
    }

    @Test("Hashes that were made with another key are kept, with the `itemHash` of that key")
    func otherHashes() throws {
        let (old, new) = (Rig.key("k1", 1), Rig.key("k2", 2))
        let snapshot = Self.session(items: 9)
        let text = try sealed(Rig(KeyRing(first: old)), snapshot)
        let kept = try Rig(KeyRing(first: old)).seal.open(text, for: Self.claim, at: Self.now)
        #expect(kept.session.views == snapshot.session.views)
        let rig = Rig(KeyRing(first: new, others: [old]))
        var opened = try rig.seal.open(text, for: Self.claim, at: Self.now)
        let hash = KeyRing(first: old).itemHash
        #expect(opened.itemHash == KeyRing(first: new).itemHash)
        #expect(opened.session.views[0].feed?.itemHash == hash)
        // The same is true after the old key was removed, and after it has become the first key
        // again.
        let again = try sealed(rig, opened)
        opened = try Rig(KeyRing(first: new)).seal.open(again, for: Self.claim, at: Self.now)
        #expect(opened.session.views[0].feed?.itemHash == hash)
        #expect(
            opened.session.views[0].feed?.shownItems == snapshot.session.views[0].feed?.shownItems)
        opened = try Rig(KeyRing(first: old, others: [new])).seal
            .open(again, for: Self.claim, at: Self.now)
        #expect(opened.session.views == snapshot.session.views)
    }

    @Test("Hashes whose key is unknown are dropped")
    func unknownHashes() {
        var snapshot = Self.session(items: 9)
        snapshot.itemHash = nil
        snapshot.convertItemHashes(to: KeyRing(first: Rig.key("k1", 1)).itemHash)
        #expect(snapshot.session.views[0].feed?.shownItems == [])
    }

    @Test("A text that would inflate beyond the limit is refused, whoever has sealed it")
    func bomb() throws {
        let most = 1 << 20
        let packing = SnapshotPacking(textBytesMax: most)
        let zeros = [UInt8](repeating: 0x20, count: 64 << 20)
        let bomb = try #require(Deflate.deflated(zeros, dictionary: SnapshotDictionary.bytes))
        #expect(bomb.count < 1 << 17)
        func packed(length: UInt32) -> [UInt8] {
            let counts = [length, UInt32(bomb.count)].flatMap { count in
                (0..<4).map { UInt8(truncatingIfNeeded: count >> (8 * $0)) }
            }
            return [1] + counts + bomb + [UInt8](repeating: 0, count: 32)
        }
        #expect(packing.unpacked(packed(length: 64 << 20)) == nil)
        #expect(packing.unpacked(packed(length: UInt32(most))) == nil)
        #expect(packing.unpacked(packed(length: 1)) == nil)
        #expect(packing.unpacked(packed(length: .max)) == nil)
        #expect(
            Deflate.inflated(bomb[...], dictionary: SnapshotDictionary.bytes, most: most) == nil)
    }

    @Test("Damaged packed data neither crashes the daemon nor results in another session")
    func damage() throws {
        let packing = SnapshotPacking(textBytesMax: 1 << 20)
        let session = Self.session(views: 2, items: 20)
        let packed = try #require(packing.packed(session, most: 1 << 20))
        var random = SeededRandom(seed: 9)
        for count in packed.indices {
            #expect(packing.unpacked(Array(packed.prefix(count))) == nil)
        }
        #expect(packing.unpacked(packed + [0]) == nil)
        for _ in 0..<4000 {
            var other = packed
            for _ in 0...random.below(3) {
                other[random.below(other.count)] = UInt8(random.below(256))
            }
            _ = packing.unpacked(other)
        }
    }
}
