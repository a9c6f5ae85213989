internal import CNATS
internal import Glibc

/// A second descriptor of the socket of a link, which is closed when the last reference to this
/// object is released.
///
/// libnats closes its own descriptor as soon as it has noticed the end of the connection. Its
/// number may then belong to another file. This one can be polled and shut down at any time.
final class NATSSocket: Sendable {
    let descriptor: Int32

    /// Returns nil if the system refuses a descriptor.
    init?(_ original: Int32) {
        descriptor = cnats_duplicate(original)
        guard descriptor >= 0 else { return nil }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Ends the connection of the socket. Threads that wait for the socket then continue, those in
    /// libnats too. To close a descriptor would not wake them.
    func shutDown() { shutdown(descriptor, Int32(SHUT_RDWR)) }

    var traffic: NATSLiveness.Traffic {
        let bytes = cnats_traffic(descriptor)
        return NATSLiveness.Traffic(
            acknowledged: bytes.acknowledged, waiting: bytes.waiting, received: bytes.received)
    }
}
