import RefreshBroker
import RefreshProtocol
import SessionBench
import Testing

@testable import RefreshSession

/// Pages that may have operations already. Source: docs/protocol.md, "Live items".
@Suite("Lists whose pages may overlap operations")
struct ListVerificationTests {
    private static func at(_ milliseconds: Double) -> Instant {
        Instant(milliseconds: 100_000 + milliseconds)
    }

    /// When the list is verified; nil if it is not.
    private static func due(_ verification: ListVerification) -> Double? {
        verification.due == .never ? nil : verification.due.milliseconds(since: at(0))
    }

    @Test("An operation within 5 s after a page that may have it lets the list be verified")
    func afterPage() {
        for (effect, isNumbered, isUncertain) in [
            (ListVerification.Effect.resizes, true, true), (.resizes, false, false),
            (.moves, true, true), (.moves, false, true), ([], true, false),
        ] {
            var verification = ListVerification()
            verification.recordRequest(at: Self.at(-200))
            verification.recordPage(isNumbered: isNumbered, at: Self.at(0))
            verification.recordOperations(effect, at: Self.at(4999))
            #expect(
                Self.due(verification) == (isUncertain ? 5999 : nil), "\(effect) \(isNumbered)")
            var later = ListVerification()
            later.recordPage(isNumbered: isNumbered, at: Self.at(0))
            later.recordOperations(effect, at: Self.at(5000))
            #expect(Self.due(later) == nil)
        }
    }

    @Test("A page that was requested a second after an operation has this operation")
    func beforePage() {
        for (requestedAt, isUncertain) in [(900.0, true), (999, true), (1000, false)] {
            var verification = ListVerification()
            verification.recordOperations([.moves, .resizes], at: Self.at(0))
            verification.recordRequest(at: Self.at(requestedAt))
            verification.recordPage(isNumbered: true, at: Self.at(1500))
            #expect(Self.due(verification) == (isUncertain ? 2500 : nil), "\(requestedAt)")
        }
    }

    @Test("A list is verified at most once in 5 s")
    func interval() {
        var verification = ListVerification()
        verification.recordPage(isNumbered: true, at: Self.at(0))
        verification.recordOperations(.resizes, at: Self.at(100))
        verification.recordOperations(.resizes, at: Self.at(300))
        #expect(Self.due(verification) == 1100)
        var isDue = verification.takeDue(at: Self.at(1099))
        #expect(!isDue)
        isDue = verification.takeDue(at: Self.at(1100))
        #expect(isDue && Self.due(verification) == nil)
        verification.recordOperations(.resizes, at: Self.at(1200))
        #expect(Self.due(verification) == 6100)
    }

    @Test("Verifications that follow each other have longer intervals, up to 20 s")
    func longerIntervals() {
        var verification = ListVerification()
        var last = 0.0
        var intervals: [Double] = []
        for second in 0..<90 {
            let now = Double(second) * 1000
            verification.recordPage(isNumbered: true, at: Self.at(now))
            verification.recordOperations(.resizes, at: Self.at(now))
            guard verification.takeDue(at: Self.at(now)) else { continue }
            intervals.append(now - last)
            last = now
        }
        #expect(intervals == [1000, 5000, 10_000, 20_000, 20_000, 20_000])
    }

    @Test("A failed verification is repeated four times, and a refresh that succeeds ends this")
    func repetitions() {
        var verification = ListVerification()
        verification.schedule(at: Self.at(0))
        var now = 1000.0
        for interval in [5000.0, 10_000, 20_000, 20_000] {
            let isDue = verification.takeDue(at: Self.at(now))
            #expect(isDue)
            verification.recordRequest(at: Self.at(now))
            verification.recordRefreshEnd(isAccepted: false, at: Self.at(now))
            #expect(Self.due(verification) == now + interval)
            now += interval
        }
        var ended = verification
        ended.recordRequest(at: Self.at(now - 1))
        ended.recordRefreshEnd(isAccepted: true, at: Self.at(now))
        #expect(Self.due(ended) == nil)
        let isDue = verification.takeDue(at: Self.at(now))
        #expect(isDue)
        verification.recordRefreshEnd(isAccepted: false, at: Self.at(now))
        #expect(Self.due(verification) == nil, "the next refresh takes its place")
    }

    @Test("The pages of a rebuilt session may have operations that are reported now")
    func rebuilt() {
        var verification = ListVerification(rebuiltAt: Self.at(0))
        verification.recordOperations(.resizes, at: Self.at(2500))
        #expect(Self.due(verification) == 3500)
    }

    // MARK: In a session

    private static func tester(style: PagingStyle, extra: String = "") -> SessionTester {
        let tester = SessionTester(
            limits: SessionTester.patient,
            feeds: [
                FeedDescription(
                    name: "songs", style: style, size: 3, itemKey: JSONPointer("/id"),
                    edits: [.insert, .remove])
            ])
        tester.services.itemHash = SipHash(key: 1, 2)
        tester.open(feed: "songs", features: #"["patch","live","edits"]"#, extra: extra)
        tester.send(#"{"type":"refresh","view":"list","seq":2}"#)
        answer(tester, 1...3)
        return tester
    }

    private static func answer(
        _ tester: SessionTester, _ ids: some Sequence<Int>, parts: Page.Parts? = nil
    ) {
        guard let (ticket, _) = tester.dispatcher.started.last,
            var page = try? PatchedList.page(
                ids.map { PatchedList.item($0, bytes: 1) }, more: true)
        else { return }
        page.cursor = "next"
        page.parts = parts
        tester.session.handle(.load(ticket, .ended(.page(page))), at: tester.now)
    }

    private static func pass(_ tester: SessionTester, _ milliseconds: Double) {
        tester.now = tester.now.advanced(byMilliseconds: milliseconds)
        tester.session.handle(.wake, at: tester.now)
    }

    @Test(
        "A removal after a further page is followed by a silent load of the pages in sight",
        arguments: [PagingStyle.page, .offset, .cursor])
    func skippedRow(style: PagingStyle) {
        let tester = Self.tester(style: style)
        Self.pass(tester, 3000)
        tester.send(#"{"type":"loadMore","view":"list","seq":3}"#)
        // The backend has removed item 4 before it has read this page.
        Self.answer(tester, 5...7)
        Self.pass(tester, 2000)
        let count = tester.dispatcher.started.count
        tester.session.handle(
            .changed(
                feed: "songs", count: .none,
                items: [ItemChange([ListEditTests.operation(.remove, 2)])]), at: tester.now)
        Self.pass(tester, 999)
        #expect(tester.dispatcher.started.count == count)
        Self.pass(tester, 1)
        let begun = tester.dispatcher.started.dropFirst(count)
        #expect(begun.count == (style == .cursor ? 0 : 1), "with a cursor, no row is skipped")
        #expect(begun.allSatisfy { $0.1.kind == .refresh })
    }

    @Test(
        "A refresh that takes the place of operations is followed by another one",
        arguments: [1, 2], [ItemOperation.Kind.update, .insert, .remove])
    func delivered(pages: Int, kind: ItemOperation.Kind) {
        let tester = Self.tester(style: .cursor, extra: #","top":{"depth":"keep"}"#)
        if pages > 1 {
            tester.send(#"{"type":"loadMore","view":"list","seq":3}"#)
            Self.answer(tester, 4...6)
        }
        Self.pass(tester, 10_000)
        tester.send(#"{"type":"refresh","view":"list","seq":4}"#)
        // The backend has inserted item 9 before it has read the page, and has done the first
        // operation afterwards. The report of the insertion comes late.
        let operations = [
            ListEditTests.operation(kind, kind == .insert ? 8 : 1, kind == .insert ? .start : nil),
            ListEditTests.operation(.insert, 9, .after(ListEditTests.key(3))),
        ]
        tester.session.handle(
            .changed(feed: "songs", count: .none, items: [ItemChange(operations)]),
            at: tester.now)
        let last = pages > 1 ? [9, 4, 5] : [9]
        Self.answer(
            tester, [1, 2, 3] + last,
            parts: pages > 1 ? Page.Parts(pages: 2, lastCount: 3, skipped: 0) : nil)
        Self.expectVerification(of: tester)
    }

    @Test("A user's own removal stays if the report of an older insertion comes after it")
    func ownRemoval() throws {
        let tester = Self.tester(style: .cursor)
        Self.pass(tester, 10_000)
        tester.send(#"{"type":"refresh","view":"list","seq":4}"#)
        let load = try #require(tester.dispatcher.started.last)
        tester.send(
            #"{"type":"edit","view":"list","seq":5,"edit":"aaaaaaaa","operation":{"remove":2}}"#)
        let edit = try #require(tester.dispatcher.edits.last)
        tester.session.handle(.edited(edit.ticket, edit.request, .confirmed), at: tester.now)
        tester.session.handle(
            .changed(
                feed: "songs", count: .none,
                items: [
                    ItemChange([
                        ListEditTests.operation(.remove, 2),
                        ListEditTests.operation(.insert, 9, .start),
                    ])
                ]), at: tester.now)
        let before = tester.channel.frames.count
        var page = try PatchedList.page(
            [9, 1, 2, 3].map { PatchedList.item($0, bytes: 1) }, more: true)
        page.cursor = "next"
        tester.session.handle(.load(load.0, .ended(.page(page))), at: tester.now)
        Self.pass(tester, 600)
        let items = tester.messages(from: before).filter { $0["type"]?.string == "items" }
        var list = try (1...3).map {
            try JSONValue(parsing: PatchedList.item($0, bytes: 1))
        }
        for message in items { list = try #require(PatchedList.applying(message, to: list)) }
        #expect(list.compactMap { $0["id"]?.number } == [9, 1, 3])
        Self.expectVerification(of: tester, after: 400)
    }

    /// The list is loaded again after so many milliseconds, and not before.
    private static func expectVerification(
        of tester: SessionTester, after milliseconds: Double = 1000
    ) {
        let count = tester.dispatcher.started.count
        pass(tester, milliseconds - 1)
        #expect(tester.dispatcher.started.count == count)
        pass(tester, 1)
        #expect(tester.dispatcher.started.dropFirst(count).map(\.1.kind) == [.refresh])
    }

    @Test(
        "A verification that fails, or that a failed refresh replaces, is repeated",
        arguments: [false, true])
    func failed(isReplaced: Bool) throws {
        let tester = Self.tester(style: .cursor)
        Self.pass(tester, 10_000)
        if isReplaced {
            tester.send(
                #"{"type":"scroll","view":"list","seq":3,"offset":0,"phase":"began","t":0}"#)
        }
        tester.session.handle(.changed(feed: "songs", count: .none, items: []), at: tester.now)
        if isReplaced {
            tester.send(
                #"{"type":"scroll","view":"list","seq":4,"offset":0,"phase":"ended","t":0}"#)
            tester.send(#"{"type":"refresh","view":"list","seq":5}"#)
        }
        let (ticket, _) = try #require(tester.dispatcher.started.last)
        let failure = LoadFailure(.backendUnavailable, "It is down.")
        tester.session.handle(.load(ticket, .ended(.failed(failure))), at: tester.now)
        Self.expectVerification(of: tester, after: 5000)
    }

    @Test("Only an edit that its client has sent before is passed on as repeated")
    func repeatedEdit() throws {
        let tester = Self.tester(style: .page)
        let insert = #""operation":{"insert":{"id":9},"at":"start"}"#
        for (seq, mark) in [#","repeated":true"#, "", #","repeated":false"#].enumerated() {
            tester.send(
                #"{"type":"edit","view":"list","seq":\#(seq + 3),"edit":"aaaaaaa\#(seq)",\#(insert)\#(mark)}"#
            )
        }
        let edits = tester.dispatcher.edits.map(\.request)
        #expect(edits.map(\.isRepeated) == [true, false, false])
        for edit in edits {
            let change = FeedChange(
                of: edit, 1, replacedBy: nil, isRepeated: false, under: FeedPolicy())
            #expect(change.isRepeated == edit.isRepeated)
        }
    }
}
