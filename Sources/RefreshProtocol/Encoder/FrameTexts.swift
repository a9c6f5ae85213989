/// The members `frame` of an update's edges, written before it is; empty where there is none.
package final class FrameTexts {
    package var refresh = ByteBuffer(capacity: 256)
    package var loadMore = ByteBuffer(capacity: 64)

    package init() {}

    package func removeAll() {
        refresh.removeAll()
        loadMore.removeAll()
    }
}
