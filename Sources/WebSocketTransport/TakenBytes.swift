import CLWS

/// How many bytes the library has taken from a connection: of TLS, from the record that was looked
/// at.
struct TakenBytes {
    /// From a socket, of all; of TLS, those that are left of the record, below 0. Nil when the
    /// system does not say.
    private let count: Int64?
    /// What TLS has read from the socket.
    private let encrypted: UInt64

    init(of socket: Int32, _ tls: OpaquePointer?) {
        if let tls = unsafe tls {
            count = -Int64(unsafe SSL_pending(tls))
            encrypted = unsafe BIO_number_read(SSL_get_rbio(tls))
        } else {
            let taken = clws_bytes_taken(socket)
            count = taken < 0 ? nil : taken
            encrypted = 0
        }
    }

    /// How many since an earlier time; nil when that cannot be said, as when TLS has begun another
    /// record.
    func since(_ earlier: TakenBytes) -> Int? {
        guard let count, let before = earlier.count, encrypted == earlier.encrypted,
            count >= before
        else { return nil }
        return Int(count - before)
    }
}
