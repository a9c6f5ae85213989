import CLWS
import Glibc

// Accepting when the system has nothing left to accept with.
extension EventLoop {
    /// Answers the connection that waits on `listener` and cannot be accepted, with a file that is
    /// kept for this; false when that cannot be done either, and the loop should rest.
    func refuse(
        _ shortage: Shortage, on listener: Int32, _ traits: ListenerTraits
    ) -> Bool {
        let answer = handler?.cannotAccept(for: shortage)
        guard shortage == .files else { return false }
        // Another thread may be quicker with the file that was given up.
        return spareFiles.lend {
            let descriptor = clws_accept(listener)
            guard descriptor >= 0 else { return errno == EAGAIN || errno == ECONNABORTED }
            Self.dismiss(descriptor, answer, traits)
            return true
        } ?? false
    }

    /// Answers a connection that was accepted with a file that was kept: from now on that is kept
    /// again.
    func giveBack(_ descriptor: Int32, _ traits: ListenerTraits) {
        Self.dismiss(descriptor, handler?.cannotAccept(for: .files), traits)
        spareFiles.refill()
    }

    private static func dismiss(
        _ descriptor: Int32, _ answer: HTTPResponse?, _ traits: ListenerTraits
    ) {
        // Where TLS is spoken an answer that is not would be noise.
        if let answer, !traits.contains(.tls) { say(answer, on: descriptor) }
        close(descriptor)
    }

    /// Writes an answer to a request that is not read, and will be no further. What has come of it
    /// is taken from the socket first: the kernel answers what is left there with a reset, which
    /// may overtake the answer.
    private static func say(_ answer: HTTPResponse, on descriptor: Int32) {
        let bytes = HTTPHead.bytes(of: answer, ending: .close) + answer.body
        var rest = [UInt8](repeating: 0, count: 16_384)
        let flags = Int32(MSG_DONTWAIT)
        _ = unsafe recv(descriptor, &rest, rest.count, flags)
        _ = unsafe bytes.withUnsafeBytes { buffer in
            unsafe Glibc.send(
                descriptor, buffer.baseAddress, buffer.count, flags | Int32(MSG_NOSIGNAL))
        }
        shutdown(descriptor, Int32(SHUT_WR))
        _ = unsafe recv(descriptor, &rest, rest.count, flags)
    }
}
