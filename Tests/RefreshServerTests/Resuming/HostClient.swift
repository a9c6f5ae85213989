import RefreshProtocol
import SessionBench

@testable import RefreshConfiguration
@testable import RefreshServer
@testable import RefreshSession

/// A client of a `HostWorld`, over one connection.
final class HostClient {
    let channel = SessionTester.RecordingChannel()
    let world: HostWorld
    let host: SessionHost
    let session: Session
    private var read = 0

    init(_ world: HostWorld, _ host: SessionHost, from address: String? = nil) {
        channel.peer = address
        self.world = world
        self.host = host
        session = host.opened(channel, at: world.now)
    }

    /// Sends a frame, lets all settle, and returns what came.
    @discardableResult
    func say(_ text: String) -> [JSONValue] {
        feed(text)
        world.settle()
        return take()
    }

    /// Sends a frame, and nothing else happens.
    func feed(_ text: String) {
        let bytes = Array(text.utf8)
        _ = host.receive(bytes.span, by: session, at: world.now)
    }

    /// The messages that came since the last look, batches flattened.
    func take() -> [JSONValue] {
        defer { read = channel.frames.count }
        return channel.frames[read...].flatMap { frame -> [JSONValue] in
            guard let value = try? JSONValue(parsing: frame) else { return [.string(frame)] }
            return value.array ?? [value]
        }
    }

    /// The connection breaks, or is closed at last.
    func hangUp() {
        channel.isWritable = false
        host.closed(session, at: world.now)
        world.settle()
    }

    /// The socket is full, or takes frames again.
    func setWritable(_ isWritable: Bool) {
        channel.isWritable = isWritable
        if isWritable { _ = host.becameWritable(session, at: world.now) }
    }

    /// Says hello with these views; its `welcome`.
    @discardableResult
    func open(
        feed: String? = "songs", frames: String = "plain", profile: String = "iqpulltorefresh",
        extra: String = "", views: [String] = ["list"]
    ) -> JSONValue {
        let views = views.map { Self.view($0, feed: feed, profile: profile) }
        return say(
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

    /// The words of `resume`, from the last `welcome`.
    static func resume(
        _ welcome: JSONValue, received: [String] = [], ack: Int = 0, extra: String = ""
    ) -> String {
        let loads = received.map { "\"\($0)\"" }.joined(separator: ",")
        return
            #""resume":{"session":"\#(welcome["session"]?.string ?? "")","token":"\#(welcome["token"]?.string ?? "")","ack":\#(ack),"received":[\#(loads)]\#(extra)}"#
    }

    /// Comes back to a session; what answers.
    func comeBack(
        _ welcome: JSONValue, received: [String] = [], frames: String = "plain",
        extra: String = ""
    ) -> [JSONValue] {
        say(
            #"{"type":"hello","protocol":1,"frames":"\#(frames)",\#(Self.resume(welcome, received: received))\#(extra)}"#
        )
    }
}

extension [JSONValue] {
    /// The first message of that type.
    func first(_ type: String) -> JSONValue? { first { $0["type"]?.string == type } }

    /// All of that type.
    func all(_ type: String) -> [JSONValue] { filter { $0["type"]?.string == type } }

    var types: [String] { compactMap { $0["type"]?.string } }
}
