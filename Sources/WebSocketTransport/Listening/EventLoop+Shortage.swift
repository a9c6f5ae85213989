import CLWS
import Glibc

// Handles pending connections when the system has no descriptors or no memory left for them.
extension EventLoop {
    /// Accepts a pending connection of `listener` with a reserved descriptor, only to refuse it.
    /// Returns false if the system lacks memory, or if the reserve is empty. The loop should then
    /// pause the listener.
    func refuse(
        _ shortage: AcceptFailure, on listener: Int32, _ traits: ListenerTraits
    ) -> Bool {
        let answer = handler?.acceptFailureResponse(for: shortage)
        guard shortage == .files else { return false }
        // If another thread takes the released descriptor first, this accept fails too.
        return reservedDescriptors.withReleasedDescriptor {
            let descriptor = clws_accept(listener)
            guard descriptor >= 0 else { return errno == EAGAIN || errno == ECONNABORTED }
            Self.answerAndClose(descriptor, answer, traits)
            return true
        } ?? false
    }

    /// Refuses an accepted connection, because its descriptor is needed for the reserve or for
    /// files that are not connections. Then refills the reserve.
    func refuseAndRefillReserve(_ descriptor: Int32, _ traits: ListenerTraits) {
        Self.answerAndClose(descriptor, handler?.acceptFailureResponse(for: .files), traits)
        reservedDescriptors.refill()
    }

    private static func answerAndClose(
        _ descriptor: Int32, _ answer: HTTPResponse?, _ traits: ListenerTraits
    ) {
        // On a TLS listener a plain-text answer would be meaningless.
        if let answer, !traits.contains(.tls) { writeAnswer(answer, on: descriptor) }
        close(descriptor)
    }

    /// Writes an answer to a request without reading it. Received data is discarded first. If data
    /// were left in the socket, the kernel would send a reset, which could arrive before the
    /// answer.
    private static func writeAnswer(_ answer: HTTPResponse, on descriptor: Int32) {
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

/// The reason why a pending connection could not be accepted.
package enum AcceptFailure: String, CaseIterable, Hashable, Sendable {
    /// The process, or the machine, has reached its limit of open files.
    case files
    /// The kernel has no memory for another socket.
    case memory

    /// Translates an error of accept(2). Returns nil if an immediate retry could succeed.
    init?(errno: Int32) {
        switch errno {
        case EMFILE, ENFILE: self = .files
        case ENOBUFS, ENOMEM: self = .memory
        default: return nil
        }
    }
}
