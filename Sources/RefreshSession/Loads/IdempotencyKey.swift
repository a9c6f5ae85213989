internal import RefreshBroker
internal import RefreshProtocol

/// The key that identifies a load to its backend. It is the same whenever the load is requested
/// again, and differs for any other request.
///
/// The load's name alone would not suffice: a session that is rebuilt from a snapshot reuses, for
/// other loads, the names that it assigned after the snapshot. So the key also covers the request.
enum IdempotencyKey {
    static func text(session: String, load: LoadID, of request: LoadRequest) -> String {
        let parameters = request.parameters.map { "\($0.name)=\($0.value.text)" }
        let asked = [
            request.feed, request.kind.rawValue, String(request.page), String(request.offset),
            String(request.size), request.cursor ?? "\u{0}",
        ]
        // FNV-1a suffices: the key protects no secret.
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for part in asked + parameters {
            for byte in part.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
            hash = (hash ^ 0xFF) &* 0x100_0000_01B3
        }
        return "\(session)-\(load)-\(String(hash, radix: 16))"
    }
}
