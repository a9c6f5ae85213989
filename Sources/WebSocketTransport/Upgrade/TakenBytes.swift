import CLWS

/// A count of the bytes that libwebsockets has taken from a connection. With TLS, the count covers
/// only the record that was inspected.
struct TakenBytes {
    /// The number of bytes that were taken from the socket. With TLS, it is the negated number of
    /// bytes that are left in the record. Nil if the system does not provide the count.
    private let count: Int64?
    /// The number of bytes that TLS has read from the socket.
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

    /// Returns the number of bytes taken since an earlier count. Returns nil if the number is
    /// unknown, for example because TLS has started another record.
    func since(_ earlier: TakenBytes) -> Int? {
        guard let count, let before = earlier.count, encrypted == earlier.encrypted,
            count >= before
        else { return nil }
        return Int(count - before)
    }
}
