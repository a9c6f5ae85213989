import CLWS
import Glibc

/// The sockets whose heads are awaited, and access to their pending bytes.
///
/// libuv watches each socket for libwebsockets and allows no second watcher. The sockets of this
/// object are therefore in a separate epoll instance, whose descriptor libuv watches. The epoll
/// instance reports each event once. This object belongs to the loop's thread.
@safe
final class HeadWatch {
    /// The result of inspecting pending data.
    enum PeekResult {
        /// The number of pending bytes, at most `bytesMax`.
        case bytes(Int)
        case nothing
        /// The peer has closed, or its connection has failed.
        case end
    }

    private let poll = UnsafeMutablePointer<uv_poll_t>.allocate(capacity: 1)
    private let file: Int32
    private let buffer: UnsafeMutableBufferPointer<UInt8>
    /// The callback for an event on a socket. Set it before a socket is watched.
    var action: (Int32) -> Void = { _ in }

    /// Creates the epoll instance. The size of a head is limited to `bytesMax` bytes, or to the
    /// size of a TLS record if that is larger. Throws `loopFailed` if no descriptors are left.
    init(loop: UnsafeMutablePointer<uv_loop_t>, bytesMax: Int) throws(TransportError) {
        file = clws_make_watch()
        guard file >= 0 else {
            unsafe poll.deallocate()
            throw .loopFailed(part: "watch", detail: "epoll_create1: error \(errno)")
        }
        unsafe buffer = .allocate(capacity: max(bytesMax, Self.recordBytesMax))
        unsafe buffer.initialize(repeating: 0)
        unsafe poll.initialize(to: uv_poll_t())
        unsafe uv_poll_init(loop, poll, file)
        unsafe poll.pointee.data = Unmanaged.passUnretained(self).toOpaque()
        unsafe uv_poll_start(poll, Int32(UV_READABLE.rawValue), headCallback)
    }

    // The loop keeps the address of `poll`, so this object must exist until the loop ends.
    deinit {
        close(file)
        unsafe poll.deinitialize(count: 1)
        unsafe poll.deallocate()
        unsafe buffer.deallocate()
    }

    /// The maximum size of a TLS record in bytes.
    private static let recordBytesMax = 16_384

    /// The maximum number of bytes that are inspected.
    var bytesMax: Int { unsafe buffer.count }

    /// Passes part of the last inspected data to `check`.
    func read(_ range: Range<Int>, with check: inout HeadCheck) -> HeadCheck.Verdict {
        let part = unsafe UnsafeBufferPointer(rebasing: buffer[range])
        return unsafe check.read(Span(_unsafeElements: part))
    }

    /// Returns part of the last inspected data.
    func copy(_ range: Range<Int>) -> [UInt8] { unsafe Array(buffer[range]) }

    /// Starts watching the socket. The first event follows at once, because the socket is writable.
    func startWatching(_ socket: Int32) { _ = clws_watch(file, socket, 0) }

    /// Requests one more event of the socket, as soon as it is writable or readable.
    func rearm(_ socket: Int32) { _ = clws_watch(file, socket, 1) }

    /// Stops watching the socket.
    func stopWatching(_ socket: Int32) { _ = clws_unwatch(file, socket) }

    /// Handles a wakeup by libuv.
    func fired() {
        var sockets = [Int32](repeating: 0, count: 32)
        let count = unsafe clws_watched(file, &sockets)
        for socket in sockets.prefix(max(0, Int(count))) { action(socket) }
    }

    /// Copies the data pending in a socket to the buffer, and leaves the data in the socket. With
    /// TLS, the copied data is the rest of one record.
    func peek(_ socket: Int32, _ tls: OpaquePointer?) -> PeekResult {
        guard let tls = unsafe tls else {
            let count = unsafe recv(
                socket, buffer.baseAddress, buffer.count, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT))
            if count > 0 { return .bytes(count) }
            return count < 0 && (errno == EAGAIN || errno == EINTR) ? .nothing : .end
        }
        ERR_clear_error()
        let count = unsafe SSL_peek(tls, buffer.baseAddress, Int32(buffer.count))
        if count > 0 { return .bytes(Int(count)) }
        let error = unsafe SSL_get_error(tls, count)
        return error == SSL_ERROR_WANT_READ || error == SSL_ERROR_WANT_WRITE ? .nothing : .end
    }

    /// Discards the data pending in a socket. Returns false if its peer has closed.
    func discard(_ socket: Int32) -> Bool {
        for _ in 0..<8 {
            let count = unsafe recv(socket, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT))
            if count == 0 { return false }
            if count < 0 { return errno == EAGAIN || errno == EINTR }
        }
        return true
    }
}
