import CLWS
import Glibc

/// The sockets whose peers are to say a head, and the bytes that wait in them.
///
/// libuv watches each socket for the library and would do so for nobody else: these are in a file
/// of the kernel's own, of which libuv tells. Each event is told once. Belongs to the loop's
/// thread.
@safe
final class HeadWatch {
    /// What became of a look at what waits.
    enum Look {
        /// So many bytes wait, or `bytesMax`.
        case bytes(Int)
        case nothing
        /// The peer has ended, or something is wrong with its connection.
        case end
    }

    private let poll = UnsafeMutablePointer<uv_poll_t>.allocate(capacity: 1)
    private let file: Int32
    private let buffer: UnsafeMutableBufferPointer<UInt8>
    /// What to do when something has happened on a socket; set before one is watched.
    var action: (Int32) -> Void = { _ in }

    /// Heads may have `bytesMax` bytes, and not less than TLS packs together. Throws `loopFailed`
    /// when there are no files left.
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

    // Not before the loop has ended, which knows the address.
    deinit {
        close(file)
        unsafe poll.deinitialize(count: 1)
        unsafe poll.deallocate()
        unsafe buffer.deallocate()
    }

    /// What one record of TLS has at most.
    private static let recordBytesMax = 16_384

    /// The most that is looked at.
    var bytesMax: Int { unsafe buffer.count }

    /// Reads part of what was looked at last.
    func read(_ range: Range<Int>, with check: inout HeadCheck) -> HeadCheck.Verdict {
        let part = unsafe UnsafeBufferPointer(rebasing: buffer[range])
        return unsafe check.read(Span(_unsafeElements: part))
    }

    /// Part of what was looked at last.
    func copy(_ range: Range<Int>) -> [UInt8] { unsafe Array(buffer[range]) }

    /// Tells of the socket from now on; once at once, since it can be written to.
    func begin(_ socket: Int32) { _ = clws_watch(file, socket, 0) }

    /// Tells of the socket once more, as soon as it can be written to or has something.
    func again(_ socket: Int32) { _ = clws_watch(file, socket, 1) }

    /// Tells of it no more.
    func end(_ socket: Int32) { _ = clws_unwatch(file, socket) }

    /// Called by the library.
    func fired() {
        var sockets = [Int32](repeating: 0, count: 32)
        let count = unsafe clws_watched(file, &sockets)
        for socket in sockets.prefix(max(0, Int(count))) { action(socket) }
    }

    /// Looks at what waits in a socket, without taking it; with TLS at what is left of one record.
    func look(_ socket: Int32, _ tls: OpaquePointer?) -> Look {
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

    /// Throws away what waits in a socket; false when its peer has ended.
    func discard(_ socket: Int32) -> Bool {
        for _ in 0..<8 {
            let count = unsafe recv(socket, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT))
            if count == 0 { return false }
            if count < 0 { return errno == EAGAIN || errno == EINTR }
        }
        return true
    }
}
