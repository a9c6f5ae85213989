internal import RefreshProtocol

/// The key that identifies a load to its backend. All attempts of a load have the same idempotency
/// key. Different requests have different idempotency keys.
///
/// The identifier of the load alone is not enough. If a session is rebuilt from a snapshot, it does
/// not know the loads that began after the snapshot, and assigns their identifiers to other loads.
/// The idempotency key is therefore also derived from the request.
package enum IdempotencyKey {
    /// `load` identifies the load among the loads of all sessions.
    package static func text(load: String, of request: LoadRequest) -> String {
        let parameters = request.parameters.map { "\($0.name)=\($0.value.text)" }
        let fields = [
            request.feed, request.kind.rawValue, String(request.page), String(request.offset),
            String(request.size), request.cursor ?? "\u{0}",
        ]
        // FNV-1a suffices: the key protects no secret.
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for part in fields + parameters {
            for byte in part.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
            hash = (hash ^ 0xFF) &* 0x100_0000_01B3
        }
        return "\(load)-\(String(hash, radix: 16))"
    }
}
