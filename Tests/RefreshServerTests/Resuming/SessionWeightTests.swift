import RefreshProtocol
import Testing

@testable import RefreshConfiguration
@testable import RefreshServer
@testable import RefreshSession

/// Compares the counted size of a session with its actual size.
@Suite("The counted size of a session")
struct SessionWeightTests {
    private static func held(
        views count: Int, frames: String = "plain", parameter: String? = nil, header: String? = nil
    ) -> Int {
        let fixture = HostFixture()
        let client = fixture.connect()
        let views = (0..<count).map { number in
            let view = HostClient.view("v\(number)")
            guard let parameter else { return view }
            return String(view.dropLast()) + #","parameters":{"q":"\#(parameter)"}}"#
        }
        let headers = header.map { #","headers":{"accept-language":"\#($0)"}"# } ?? ""
        let received = client.send(
            #"{"type":"hello","protocol":1,"frames":"\#(frames)"\#(headers),"views":[\#(views.joined(separator: ","))]}"#
        )
        #expect(received.all("attached").count == count)
        client.hangUp()
        #expect(fixture.directory.sessions.waitingBytes == client.session.heldBytes)
        return client.session.heldBytes
    }

    @Test("The parameters of each view count with all their bytes")
    func parameters() {
        let bare = Self.held(views: 32)
        let long = Self.held(views: 32, parameter: String(repeating: "q", count: 1000))
        #expect((32 * 1000...32 * 1200).contains(long - bare))
    }

    @Test("The headers of `hello` count once, even if several views forward them")
    func headers() {
        let bare = Self.held(views: 32)
        let long = Self.held(views: 32, header: String(repeating: "h", count: 1000))
        #expect((1000...1200 + 32 * 40).contains(long - bare))
    }

    @Test("A view of a client that draws layers counts with more bytes")
    func looks() {
        let plain = Self.held(views: 4)
        for frames in ["local", "stream"] {
            let drawn = Self.held(views: 4, frames: frames)
            #expect(drawn - plain == 4 * Conversation.bytesPerPresentation)
        }
    }

    @Test("The constants are at least as large as the actual sizes")
    func constants() {
        #expect(Conversation.ownBytes >= MemoryLayout<Conversation>.size)
        #expect(Conversation.bytesPerView >= MemoryLayout<ViewSlot>.stride)
        #expect(Conversation.bytesPerPresentation >= MemoryLayout<ControlLawSync>.size)
        #expect(Conversation.bytesPerKey == MemoryLayout<UInt64>.stride)
    }
}
