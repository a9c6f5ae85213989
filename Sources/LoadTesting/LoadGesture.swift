internal import Foundation
internal import JournalReplay
package import RefreshProtocol
internal import RefreshServer
internal import RefreshSession

/// A gesture that a client of a load test repeats. It comes from the journal of a recorded session.
/// The messages before the first movement of the list describe the initial layout. Each repetition
/// starts by restoring this layout.
package struct LoadGesture: Hashable, Sendable {
    /// The name of the gesture's `TouchTrace`.
    package let name: String
    /// The first frame of a session that performs this gesture.
    let hello: LoadFrame
    /// `hello` without the other messages of its frame.
    let helloAlone: LoadFrame
    /// The messages of `hello` that request what a new list needs; nil if there are none. A client
    /// that resumes its session does not send them again.
    let requests: LoadFrame?
    /// The kind of the session. Sessions of one kind have the same views, feeds and drawing modes,
    /// so a session can perform the gestures of every session of its kind.
    let kind: String
    /// The drawing mode in the client's `hello`: `plain`, `stream` or `local`. Nil if it has none.
    let client: String?
    /// Whether `hello` has the member `snapshots`.
    let requestsSnapshots: Bool
    /// The frames, at least one. If the views have a layout, the first frame restores it.
    let frames: [LoadFrame]

    /// The reason why no gesture can be created from a journal.
    package struct Unusable: Error, Hashable, Sendable, CustomStringConvertible {
        package let description: String
    }

    /// The duration in microseconds.
    var duration: Int64 { frames.last?.at ?? 0 }

    /// The gesture as a JSON object, for lists of gestures. Source: docs/refresh-probe.md, "Load".
    package var json: JSONValue {
        .object([
            .init("name", .string(name)),
            .init("client", client.map(JSONValue.string) ?? .null),
            .init("seconds", .number(Double(duration) / 1_000_000)),
            .init("frames", .number(Double(frames.count))),
            .init("messages", .number(Double(frames.reduce(0) { $0 + $1.messages.count }))),
        ])
    }

    /// The values that every session of the load test sends instead of the recorded ones.
    package struct Identity: Hashable, Sendable {
        /// The feed with which views are attached. Nil means the recorded feed of each view.
        package var feed: String?
        /// The token that authenticates the client. Nil means no token.
        package var token: String?

        package init(feed: String? = nil, token: String? = nil) {
            self.feed = feed
            self.token = token
        }
    }

    /// Creates the gesture of a trace. Its messages have the feed and the token of `identity`.
    ///
    /// - Throws: `Unusable` if the journal cannot be read, does not start with the `hello` of a new
    ///   session, or has only `geometry` messages after the `hello`.
    package init(_ trace: TouchTrace, as identity: Identity = Identity()) throws(Unusable) {
        name = trace.name
        let sent = try Self.clientFrames(in: trace)
        guard var hello = sent.first?.messages.first, hello["type"]?.string == "hello",
            hello["resume"] == nil
        else {
            throw Unusable(
                description: "\(trace.name): does not begin with the `hello` of a new session")
        }
        hello["token"] = identity.token.map(JSONValue.string)
        var views = hello["views"]?.array ?? []
        if let feed = identity.feed {
            views = views.map { view in
                var view = view
                view["feed"] = .string(feed)
                return view
            }
            hello["views"] = .array(views)
        }
        self.hello = LoadFrame(
            at: 0, messages: ([hello] + sent[0].messages.dropFirst()).map { LoadMessage($0) })
        helloAlone = LoadFrame(at: 0, messages: Array(self.hello.messages.prefix(1)))
        let requests = self.hello.messages.dropFirst()
        self.requests = requests.isEmpty ? nil : LoadFrame(at: 0, messages: Array(requests))
        kind = Self.kind(of: hello)
        requestsSnapshots = hello["snapshots"] != nil
        client = (hello["frames"]?["mode"] ?? hello["frames"])?.string
        let behind = sent.dropFirst()
        let begin = behind.firstIndex { $0.messages.contains { !Self.isLayoutMessage($0) } }
        guard let begin else {
            throw Unusable(description: "\(trace.name): contains no action on a list")
        }
        for frame in behind[..<begin] {
            for message in frame.messages { Self.mergeLayout(message, into: &views) }
        }
        frames = Self.makeFrames(views, behind[begin...])
    }

    private struct ClientFrame {
        var at: Instant
        var messages: [JSONValue]
    }

    /// Returns the client's messages, frame by frame, without messages that concern only the
    /// connection.
    private static func clientFrames(in trace: TouchTrace) throws(Unusable) -> [ClientFrame] {
        let connectionOnly: Set<String> = ["ping", "bye", "snapshot"]
        var rest = trace.bytes[...]
        var frames: [ClientFrame] = []
        do {
            var lines = try JournalReader {
                defer { rest = [] }
                return Array(rest)
            }
            while case .line(_, let line) = lines.next {
                if case .input(let at, .frame(let bytes)) = line {
                    let value = try JSONValue(parsing: bytes)
                    let messages = (value.array ?? [value]).filter {
                        !connectionOnly.contains($0["type"]?.string ?? "")
                    }
                    if !messages.isEmpty { frames.append(ClientFrame(at: at, messages: messages)) }
                }
                try lines.advance()
            }
        } catch {
            throw Unusable(description: "\(trace.name): \(error)")
        }
        guard !frames.isEmpty else {
            throw Unusable(description: "\(trace.name): is not a journal of a session")
        }
        return frames
    }

    /// Returns whether a message only describes the layout of a list.
    private static func isLayoutMessage(_ message: JSONValue) -> Bool {
        message["type"]?.string == "geometry"
    }

    /// Merges the members of a `geometry` message into the view.
    private static func mergeLayout(_ message: JSONValue, into views: inout [JSONValue]) {
        guard let index = views.firstIndex(where: { $0["view"] == message["view"] }) else { return }
        var geometry = views[index]["geometry"] ?? .object([])
        for name in ["viewport", "content", "insets", "safeArea", "bars", "direction", "scale"] {
            if let value = message[name] { geometry[name] = value }
        }
        views[index]["geometry"] = geometry
        if let offset = message["offset"] { views[index]["offset"] = offset }
    }

    private static func makeFrames(
        _ views: [JSONValue], _ clientFrames: ArraySlice<ClientFrame>
    ) -> [LoadFrame] {
        let began = clientFrames.first?.at.microseconds ?? 0
        let beganMs =
            clientFrames.lazy.flatMap(\.messages).compactMap { $0["t"]?.number }.first ?? 0
        let layouts = views.compactMap { view -> LoadMessage? in
            guard case .object(let members)? = view["geometry"] else { return nil }
            var message = JSONValue.object([
                .init("type", .string("geometry")), .init("seq", .number(0)),
                .init("view", view["view"] ?? .null),
            ])
            for member in members { message[member.name] = member.value }
            message["offset"] = view["offset"] ?? .number(0)
            return LoadMessage(message)
        }
        let layoutFrames = layouts.isEmpty ? [] : [LoadFrame(at: 0, messages: layouts)]
        return layoutFrames
            + clientFrames.map { frame in
                LoadFrame(
                    // If the times in the journal are not in order, this time would be negative. It
                    // is replaced by 0.
                    at: max(0, frame.at.microseconds - began),
                    messages: frame.messages.map { LoadMessage($0, beganMs: beganMs) })
            }
    }

    private static func kind(of hello: JSONValue) -> String {
        let views = (hello["views"]?.array ?? []).map { view in
            var view = view
            for name in ["geometry", "offset", "seq"] { view[name] = nil }
            return view.text
        }
        return ([hello["frames"]?.text ?? "plain"] + views).joined(separator: "\n")
    }
}
