import RefreshBroker
import RefreshIndicator
import RefreshProtocol
import SessionBench
import Testing

@testable import RefreshSession

/// Patches of a session that a journal records. Source: docs/protocol.md, "Patches".
@Suite("Patches of a recorded session")
struct RecordedPatchTests {
    private final class DroppedJournal: JournalSink {
        let started = "2026-11-28T12:00:00.000Z"
        var isOpen: Bool { true }
        var isFull: Bool { false }
        var isOnRequest: Bool { false }

        func append(_ lines: [UInt8]) {}
        func close() {}
    }

    private static func feed(_ itemKey: String) -> FeedDescription {
        FeedDescription(name: "songs", style: .page, size: 10, itemKey: JSONPointer(itemKey))
    }

    private static func recorder(_ services: SessionServices) -> SessionRecorder {
        SessionRecorder(
            channel: SessionTester.RecordingChannel(), services: services,
            journal: DroppedJournal(),
            header: JournalHeader(
                started: "2026-11-28T12:00:00.000Z", at: .origin, session: "test",
                key: SessionKey(loop: 0, slot: 0, generation: 1), limits: services.limits,
                feeds: services.feeds))
    }

    @Test("After a reload with another key, pages are not compared with the lists of the session")
    func reload() throws {
        let tester = SessionTester(feeds: [Self.feed("/id")])
        let recorder = Self.recorder(tester.services)
        let page = try PatchedList.page(0..<3)
        let view = ViewID("list")
        let load = LoadID(generation: 1, number: 1)
        let inputs: [SessionInput] = [
            .load(load, view: view, .ended(.page(page))),
            .load(
                load, view: view,
                .lookUpEnded(FoundPage(page: page, ageMs: 1, isFresh: true))),
            .load(load, view: view, .progressed(0.5)), .wake,
        ]
        #expect(inputs.map(recorder.adapted) == inputs)
        tester.services.apply(
            limits: tester.services.limits, feeds: [Self.feed("/number")],
            indicators: tester.services.indicators)
        var bare = page
        bare.itemKeys?.list = nil
        #expect(bare != page)
        #expect(
            inputs.map(recorder.adapted) == [
                .load(load, view: view, .ended(.page(bare))),
                .load(
                    load, view: view,
                    .lookUpEnded(FoundPage(page: bare, ageMs: 1, isFresh: true))),
                inputs[2], inputs[3],
            ])
    }
}
