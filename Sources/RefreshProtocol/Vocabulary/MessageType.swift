/// The type of a client message. Source: docs/protocol.md, "What a client may say".
package enum MessageType: String, CaseIterable, WireNamed, Sendable {
    case hello, attach, detach, geometry, scroll, pan, refresh, begin, end, loadMore, retry, cancel
    case reset, floor, appear
    case loadBegan, loadProgress, loadFinished, enable, configure, ping, snapshot, bye
}
