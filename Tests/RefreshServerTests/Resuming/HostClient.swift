import RefreshProtocol
import SessionBench

@testable import RefreshConfiguration
@testable import RefreshServer
@testable import RefreshSession

/// A client of a `HostFixture`, over one connection.
final class HostClient {
    let channel = SessionTester.RecordingChannel()
    let fixture: HostFixture
    let host: SessionHost
    let session: Session
    private var read = 0

    init(_ fixture: HostFixture, _ host: SessionHost, from address: String? = nil) {
        channel.peer = address
        self.fixture = fixture
        self.host = host
        session = host.opened(channel, at: fixture.now)
    }

    /// Sends a frame, runs all resulting jobs, and returns the received messages.
    @discardableResult
    func send(_ text: String) -> [JSONValue] {
        feed(text)
        fixture.settle()
        return receive()
    }

    /// Sends a frame without running any job.
    func feed(_ text: String) {
        let bytes = Array(text.utf8)
        _ = host.receive(bytes.span, by: session, at: fixture.now)
    }

    /// The messages received since the last call. Batches are flattened.
    func receive() -> [JSONValue] {
        defer { read = channel.frames.count }
        return channel.frames[read...].flatMap { frame -> [JSONValue] in
            guard let value = try? JSONValue(parsing: frame) else { return [.string(frame)] }
            return value.array ?? [value]
        }
    }

    /// Ends the connection.
    func hangUp() {
        channel.isWritable = false
        host.closed(session, at: fixture.now)
        fixture.settle()
    }

    /// Sets whether the socket accepts frames.
    func setWritable(_ isWritable: Bool) {
        channel.isWritable = isWritable
        if isWritable { _ = host.becameWritable(session, at: fixture.now) }
    }

    /// Sends `hello` with these views. Returns the `welcome`.
    @discardableResult
    func open(
        feed: String? = "songs", frames: String = "plain", profile: String = "iqpulltorefresh",
        extra: String = "", views: [String] = ["list"]
    ) -> JSONValue {
        let views = views.map { Self.view($0, feed: feed, profile: profile) }
        return send(
            #"{"type":"hello","protocol":1,"frames":"\#(frames)","views":[\#(views.joined(separator: ","))]\#(extra)}"#
        ).first ?? .null
    }

    static func view(
        _ name: String = "list", feed: String? = "songs", profile: String = "iqpulltorefresh",
        offset: Double? = nil
    ) -> String {
        let feed = feed.map { #","feed":"\#($0)""# } ?? ""
        let offset = offset.map { #","offset":\#($0)"# } ?? ""
        return
            #"{"view":"\#(name)","profile":"\#(profile)"\#(feed)\#(offset),"geometry":{"viewport":{"width":390,"height":800},"content":{"width":390,"height":4000}}}"#
    }

    /// Returns the `resume` member with the session and the token of this `welcome`.
    static func resumeMember(
        _ welcome: JSONValue, received: [String] = [], ack: Int = 0, extra: String = ""
    ) -> String {
        let loads = received.map { "\"\($0)\"" }.joined(separator: ",")
        return
            #""resume":{"session":"\#(welcome["session"]?.string ?? "")","token":"\#(welcome["token"]?.string ?? "")","ack":\#(ack),"received":[\#(loads)]\#(extra)}"#
    }

    /// Resumes a session. Returns the answer.
    func resume(
        _ welcome: JSONValue, received: [String] = [], frames: String = "plain",
        extra: String = ""
    ) -> [JSONValue] {
        send(
            #"{"type":"hello","protocol":1,"frames":"\#(frames)",\#(Self.resumeMember(welcome, received: received))\#(extra)}"#
        )
    }
}

extension [JSONValue] {
    /// Returns the first message of this type.
    func first(_ type: String) -> JSONValue? { first { $0["type"]?.string == type } }

    /// Returns all messages of this type.
    func all(_ type: String) -> [JSONValue] { filter { $0["type"]?.string == type } }

    var types: [String] { compactMap { $0["type"]?.string } }
}
