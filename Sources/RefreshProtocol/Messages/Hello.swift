/// The first message of a session. Source: docs/protocol.md, "hello".
package struct Hello: Hashable, Sendable {
    package var version: Int
    package var client: String?
    package var frames: FrameSettings
    /// What feeds may pass on to their backends; each name stands once.
    package var headers: [HeaderField]
    package var views: [Attach]

    package init(
        version: Int, client: String? = nil, frames: FrameSettings = FrameSettings(),
        headers: [HeaderField] = [], views: [Attach] = []
    ) {
        self.version = version
        self.client = client
        self.frames = frames
        self.headers = headers
        self.views = views
    }
}
