import RefreshBroker
import RefreshEngine
import RefreshProtocol
import SessionBench
import Testing

@testable import RefreshConfiguration
@testable import RefreshServer
@testable import RefreshSession
@testable import SealedSnapshots

/// A session that outlives its process must lose nothing, and must continue unchanged.
@Suite("Saved sessions")
struct SessionSnapshotTests {
    private static let packing = SnapshotPacking(textBytesMax: 4_194_304)

    @Test("In generated sessions, the saved state is complete at every step")
    func roundTrip() throws {
        var (count, bytes) = (0, 0)
        for seed in UInt64(1)...24 {
            var script = RandomConversation(seed: seed)
            let fixture = ConversationFixture(subject: seed.isMultiple(of: 2) ? "anna" : nil)
            var now = Instant(milliseconds: 500)
            fixture.send(script.hello(), at: now)
            for number in 0..<120 {
                now = now.advanced(byMilliseconds: script.pause())
                Self.apply(script.next(in: fixture), to: fixture, at: now)
                var snapshot = fixture.snapshot
                snapshot.itemHash = SipHash(key: .max, 7)
                snapshot.sealedAt = SealedMoment(wallMilliseconds: 1_795_262_400_123, instant: now)
                let packed = try #require(Self.packing.packed(snapshot, most: 4_194_304))
                let copy = Self.packing.unpacked(packed)
                try #require(copy == snapshot, "seed \(seed), \(number)")
                count += 1
                bytes += packed.count
            }
        }
        print("snapshots: \(count) sessions, \(bytes / count) bytes each")
    }

    @Test("A restored session continues like the original, even with another clock")
    func continues() throws {
        var (restored, facts) = (0, 0)
        for seed in UInt64(100)...139 {
            var script = RandomConversation(seed: seed)
            let fixture = ConversationFixture()
            var now = Instant(milliseconds: 500)
            fixture.send(script.hello(), at: now)
            var random = SeededRandom(seed: ~seed)
            for _ in 0..<(20 + random.below(80)) {
                now = now.advanced(byMilliseconds: script.pause())
                Self.apply(script.next(in: fixture), to: fixture, at: now)
            }
            let shift = random.chance(50) ? -now.microseconds : Int64(random.below(1 << 40))
            let copy = try Self.restored(fixture, at: now, shift: shift)
            restored += 1
            for number in 0..<60 {
                now = now.advanced(byMilliseconds: script.pause())
                let fact = script.next(in: fixture)
                Self.apply(fact, to: fixture, at: now)
                Self.apply(fact, to: copy, at: now.later(by: shift))
                try Self.requireAlike(
                    copy, fixture, shift: shift, "seed \(seed), \(number): \(fact)")
                facts += 1
            }
        }
        print("restored: \(restored) sessions, \(facts) facts after it")
    }

    /// Returns a fixture in which the session of `fixture` continues. The new fixture begins the
    /// running loads again, so the times of these loads are reset in the original too.
    private static func restored(
        _ fixture: ConversationFixture, at now: Instant, shift: Int64
    ) throws -> ConversationFixture {
        var snapshot = fixture.snapshot
        snapshot.shift(byMicroseconds: shift)
        let copy = ConversationFixture(at: now.later(by: shift))
        copy.conversation.enter(.open)
        try copy.conversation.restore(snapshot, at: now.later(by: shift))
        // The copy requested exactly the loads that run in the original, with the same idempotency
        // keys.
        let running = Set(fixture.pending.map { "5f0c-\($0.load)-" })
        let keys = copy.dispatcher.wishes.map(\.idempotencyKey)
        #expect(Set(keys.map { key in running.first { key.hasPrefix($0) } }) == Set(running))
        #expect(keys.count == running.count)
        for brokerRequest in copy.dispatcher.wishes {
            let original = fixture.dispatcher.wishes.last {
                $0.idempotencyKey == brokerRequest.idempotencyKey
            }
            #expect(original != nil, "\(brokerRequest.idempotencyKey)")
            #expect(brokerRequest.request.headers == original?.request.headers)
            #expect(brokerRequest.request.parameters == original?.request.parameters)
            #expect(brokerRequest.request.kind == original?.request.kind)
            #expect(brokerRequest.request.trigger == original?.request.trigger)
        }
        for index in fixture.conversation.views.indices {
            fixture.conversation.views[index].engine.restartLoadDeadlines(at: now)
        }
        copy.dispatcher.wishes = []
        copy.dispatcher.cancelled = []
        fixture.dispatcher.wishes = []
        fixture.dispatcher.cancelled = []
        return copy
    }

    private static func requireAlike(
        _ copy: ConversationFixture, _ fixture: ConversationFixture, shift: Int64, _ name: Comment
    ) throws {
        #expect(copy.dispatcher.wishes == fixture.dispatcher.wishes, name)
        #expect(copy.dispatcher.cancelled == fixture.dispatcher.cancelled, name)
        // Only times before the origin of a clock may differ, because they have no effect.
        var (left, right) = (fixture.snapshot, copy.snapshot)
        left.shift(byMicroseconds: shift)
        for index in left.session.views.indices where index < right.session.views.count {
            let (one, other) = (left.session.views[index].engine, right.session.views[index].engine)
            try #require(one.nextDeadline == other.nextDeadline, name)
            try #require(one.refresh.phase == other.refresh.phase, name)
            try #require(one.loadMore.phase == other.loadMore.phase, name)
            try #require(one.insets == other.insets, name)
            try #require(one.paging == other.paging, name)
            try #require(one.offset == other.offset, name)
            left.session.views[index].engine = other
        }
        try #require(left == right, name)
    }

    private static func apply(
        _ fact: RandomConversation.Fact, to fixture: ConversationFixture, at now: Instant
    ) {
        switch fact {
        case .frame(let text): fixture.send(text, at: now)
        case .ended(let ticket, let outcome): fixture.loadEnded(ticket, outcome, at: now)
        case .wake: fixture.wake(at: now)
        }
    }
}

extension Instant {
    func later(by microseconds: Int64) -> Instant {
        self == .never ? self : Instant(microseconds: self.microseconds + microseconds)
    }
}
