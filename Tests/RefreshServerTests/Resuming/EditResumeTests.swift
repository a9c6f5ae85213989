import RefreshBroker
import RefreshProtocol
import SessionBench
import Testing

@testable import RefreshConfiguration
@testable import RefreshServer
@testable import RefreshSession

/// Edits after a resume. Source: docs/protocol.md, "Edits".
@Suite("Edits of a client that comes back")
struct EditResumeTests {
    @Test(
        "A client that resumes without the feature gets no answer to an earlier edit",
        arguments: [#"["patch","live","edits"]"#, #"["patch","live"]"#, "[]"])
    func withoutFeature(features: String) throws {
        var songs = HostFixture.songs
        songs.edits = [.remove]
        let fixture = HostFixture(feeds: [songs])
        let first = fixture.connect()
        let welcome = first.open(extra: #","features":["patch","live","edits"]"#)
        first.send(
            #"{"type":"edit","view":"list","seq":2,"edit":"aaaaaaaa","operation":{"remove":3}}"#)
        let edit = try #require(fixture.dispatcher.edits.first)
        first.hangUp()
        first.session.handle(.edited(edit.ticket, edit.request, .confirmed), at: fixture.now)
        let messages = fixture.connect().resume(
            welcome, extra: #","views":[\#(HostClient.view())],"features":\#(features)"#)
        #expect(messages.first?["resumed"]?.bool == true)
        #expect(messages.all("edited").isEmpty == !features.contains("edits"))
    }
}
