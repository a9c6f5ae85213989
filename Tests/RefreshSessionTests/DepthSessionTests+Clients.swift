import Foundation
import RefreshBroker
import RefreshProtocol
import SessionBench
import Testing

@testable import RefreshSession

/// Refreshes at depth (a refresh that requests all pages of the list again) for clients with and
/// without features, for clients that load the pages themselves, and for saved sessions.
extension DepthSessionTests {
    @Test("In the middle of a list, a change causes `newer` with features, and a load without them")
    func changeBecomesCue() throws {
        for (features, isCue) in [(#","features":["x"]"#, true), ("", false)] {
            var list = try List(features: features, top: #"{"changes":"visible"}"#)
            list.send("geometry", #","offset":1500"#)
            let (before, start) = (
                list.tester.dispatcher.started.count, list.tester.channel.frames.count
            )
            list.tester.session.handle(.changed(feed: "songs"), at: list.tester.now)
            #expect((list.tester.dispatcher.started.count == before) == isCue)
            let sent = list.tester.messages(from: start)
            #expect((sent.first?["newer"]?.bool == true) == isCue)
        }
    }

    @Test("A client without features receives neither the option `depth` nor `pagesKeptMax`")
    func withoutFeatures() throws {
        let tester = SessionTester()
        let welcome = tester.send(#"{"type":"hello","protocol":1,"frames":"plain"}"#)
        #expect(welcome.first?["limits"]?["pagesKeptMax"] == nil)
        let attached = tester.send(
            #"{"type":"attach","seq":1,"view":"list","profile":"default","top":{"depth":"odd"}}"#)
        #expect(attached.count == 1 && attached[0]["top"]?["depth"] == nil)
        var list = try List(features: "")
        #expect(list.refresh().count == 1)

        let other = SessionTester()
        let greeting = other.send(
            #"{"type":"hello","protocol":1,"frames":"plain","features":[]}"#)
        #expect(greeting.first?["limits"]?["pagesKeptMax"]?.number == 20)
        let view = other.send(
            #"{"type":"attach","seq":1,"view":"list","profile":"default","top":{"depth":"keep"}}"#)
        #expect(view.first?["top"]?["depth"]?.string == "keep")
        let fault = other.send(
            #"{"type":"configure","seq":2,"view":"list","top":{"depth":"odd"}}"#)
        #expect(fault.first?["code"]?.string == "invalidField")
        #expect(fault.first?["field"]?.string == "depth")
    }

    @Test("A client that loads the pages itself gets one load, and answers once")
    func clientBacked() throws {
        let tester = SessionTester()
        tester.send(#"{"type":"hello","protocol":1,"frames":"plain","features":[]}"#)
        tester.send(
            """
            {"type":"attach","seq":1,"view":"list","profile":"default","top":{"depth":"keep"},
             "paging":{"size":10}}
            """)
        tester.send(#"{"type":"refresh","seq":2,"view":"list"}"#)
        tester.send(
            #"{"type":"loadFinished","seq":3,"view":"list","load":"1.1","result":"success","count":10}"#
        )
        tester.send(#"{"type":"loadMore","seq":4,"view":"list"}"#)
        tester.send(
            #"{"type":"loadFinished","seq":5,"view":"list","load":"1.2","result":"success","count":10}"#
        )
        let load = tester.send(#"{"type":"refresh","seq":6,"view":"list"}"#).last
        #expect(load?["type"]?.string == "load" && load?["load"]?.string == "1.3")
        #expect(load?["pages"]?.number == 2 && load?["page"]?.number == 1)
        let update = tester.send(
            #"{"type":"loadFinished","seq":7,"view":"list","load":"1.3","result":"success","count":14}"#
        )
        #expect(update.last?["list"]?["count"]?.number == 14)
        #expect(update.last?["list"]?["more"]?.bool == false)
    }

    // MARK: Saved state

    @Test("A restored checkpoint continues a refresh at depth, and a restored snapshot repeats it")
    func saved() throws {
        var list = try List()
        _ = list.refresh()
        let (ticket, request) = try #require(list.tester.dispatcher.started.last)
        let wish = try #require(list.tester.dispatcher.wishes.last)
        #expect(wish.series == PageSeries(count: 3, skipped: 0, style: .page))
        let checkpoint = try #require(list.tester.session.conversation.value.checkpoint)
        let copy = try JSONDecoder().decode(
            JournalCheckpoint.self, from: JSONEncoder().encode(checkpoint))
        let restored = SessionTester()
        #expect(restored.session.restore(from: copy))
        #expect(restored.dispatcher.started.isEmpty)
        let snapshot = list.tester.session.conversation.value.snapshot(tokenHash: [])
        let rebuilt = SessionTester()
        try rebuilt.session.conversation.value.restore(snapshot, at: rebuilt.now)
        #expect(rebuilt.dispatcher.started.map(\.1) == [request])
        #expect(rebuilt.dispatcher.wishes == [wish])

        let start = restored.channel.frames.count
        var answer = Page(items: Array("[100,120]".utf8), count: 27, more: true)
        answer.parts = Page.Parts(pages: 3, lastCount: 7, skipped: 0)
        restored.session.handle(.load(ticket, .ended(.page(answer))), at: restored.now)
        let items = restored.messages(from: start).last
        #expect(items?["pages"]?.number == 3 && items?["count"]?.number == 27)
        let before = restored.dispatcher.started.count
        restored.send(#"{"type":"loadMore","view":"list","seq":1000}"#)
        #expect(restored.dispatcher.started[before...].map(\.1.page) == [4])
    }
}
