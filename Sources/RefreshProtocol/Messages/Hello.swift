/// The first message of a session. Source: docs/protocol.md, "hello".
package struct Hello: Hashable, Sendable {
    package var version: Int
    package var client: String?
    package var frames: FrameSettings
    /// What feeds may pass on to their backends; each name stands once.
    package var headers: [HeaderField]
    /// What the client shows; nil: not named, which matters to one that comes back.
    package var namedViews: [Attach]?
    /// Says who the client is.
    package var token: String?
    /// The session to go on with.
    package var resume: ResumeRequest?
    /// Whether the client wants sealed snapshots.
    package var wantsSnapshots: Bool
    /// Whether the client wants to be told what is ignored.
    package var wantsDiagnostics: Bool

    /// What the client shows.
    package var views: [Attach] { namedViews ?? [] }

    package init(
        version: Int, client: String? = nil, frames: FrameSettings = FrameSettings(),
        headers: [HeaderField] = [], views: [Attach]? = nil, token: String? = nil,
        resume: ResumeRequest? = nil, wantsSnapshots: Bool = false,
        wantsDiagnostics: Bool = false
    ) {
        self.version = version
        self.client = client
        self.frames = frames
        self.headers = headers
        namedViews = views
        self.token = token
        self.resume = resume
        self.wantsSnapshots = wantsSnapshots
        self.wantsDiagnostics = wantsDiagnostics
    }
}
