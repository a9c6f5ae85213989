/// The first message of a session. Source: docs/protocol.md, "hello".
package struct Hello: Hashable, Sendable {
    package var version: Int
    package var client: String?
    package var frames: FrameSettings
    package var views: [Attach]

    package init(
        version: Int, client: String? = nil, frames: FrameSettings = FrameSettings(),
        views: [Attach] = []
    ) {
        self.version = version
        self.client = client
        self.frames = frames
        self.views = views
    }
}
