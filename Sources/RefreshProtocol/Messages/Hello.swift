/// The first message of a session. Source: docs/protocol.md, "hello".
package struct Hello: Hashable, Sendable {
    package var version: Int
    package var client: String?
    package var frames: FrameSettings
    /// The features that the client can use. Nil: not present, so the daemon uses none of the
    /// messages, options and limits that came with features.
    package var features: ClientFeatures?
    /// The headers that feeds may forward to their backends; each name occurs once.
    package var headers: [HeaderField]
    /// The views that the client shows; nil if `views` is not present. The difference between nil
    /// and an empty array matters when the client resumes.
    package var namedViews: [Attach]?
    /// The client's credentials.
    package var token: String?
    /// The session to resume.
    package var resume: ResumeRequest?
    /// Whether the client wants sealed snapshots.
    package var wantsSnapshots: Bool
    /// Whether the client wants diagnostics about ignored input.
    package var wantsDiagnostics: Bool

    /// The views that the client shows.
    package var views: [Attach] { namedViews ?? [] }

    package init(
        version: Int, client: String? = nil, frames: FrameSettings = FrameSettings(),
        features: ClientFeatures? = nil, headers: [HeaderField] = [], views: [Attach]? = nil,
        token: String? = nil,
        resume: ResumeRequest? = nil, wantsSnapshots: Bool = false,
        wantsDiagnostics: Bool = false
    ) {
        self.version = version
        self.client = client
        self.frames = frames
        self.features = features
        self.headers = headers
        namedViews = views
        self.token = token
        self.resume = resume
        self.wantsSnapshots = wantsSnapshots
        self.wantsDiagnostics = wantsDiagnostics
    }
}

/// A set of features that a client can use. Source: docs/protocol.md, "Features".
package struct ClientFeatures: OptionSet, Hashable, Sendable, Codable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package init(_ feature: Feature) { self.init(rawValue: 1 << feature.rawValue) }

    /// Every feature that the daemon serves.
    package static let all = ClientFeatures(Feature.allCases.map { ClientFeatures($0) })

    /// The maximum number of names in `hello`. A daemon knows fewer features, and ignores unknown
    /// names.
    package static let namesMax = 64

    package func contains(_ feature: Feature) -> Bool { contains(ClientFeatures(feature)) }

    /// Whether the feature is in use. `live` is in use only together with `patch`, and `edits`
    /// only together with both.
    package func uses(_ feature: Feature) -> Bool {
        switch feature {
        case .live: contains([.init(.live), .init(.patch)])
        case .edits: contains([.init(.edits), .init(.live), .init(.patch)])
        case .query, .unread, .patch, .visibleRange: contains(feature)
        }
    }
}

/// A feature that the daemon serves. Source: docs/protocol.md, "Features".
package enum Feature: UInt8, CaseIterable, WireNamed, Sendable {
    case query, unread, patch, live, edits, visibleRange

    /// The feature's name on the wire is the name of the case.
    package var wireName: String { String(describing: self) }
}

/// The protocol version that this build implements.
package enum ProtocolVersion {
    package static let current = 1
    /// The WebSocket subprotocol of `current`.
    package static let subprotocol = "refresh.v1"
    package static let sessionPath = "/v1/session"
    /// The WebSocket subprotocol of workers.
    package static let workerSubprotocol = "refresh.worker.v1"
    package static let workerPath = "/v1/worker"
    /// The WebSocket subprotocol of watchers: operators' connections that receive the events of
    /// sessions.
    package static let watchSubprotocol = "refresh.watch.v1"
    package static let watchPath = "/v1/watch"
}
