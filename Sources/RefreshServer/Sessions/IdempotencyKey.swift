internal import RefreshBroker
internal import RefreshProtocol

/// What a load is called towards its backend: the same whenever it is asked for again, and another
/// one for each other request.
///
/// The load's name alone would not do: a session that is rebuilt from a snapshot gives the names
/// that it gave since to other loads. So the key tells what is asked for, too.
enum IdempotencyKey {
    static func text(session: String, load: LoadID, of request: LoadRequest) -> String {
        let parameters = request.parameters.map { "\($0.name)=\($0.value.text)" }
        let asked = [
            request.feed, request.kind.rawValue, String(request.page), String(request.offset),
            String(request.size), request.cursor ?? "\u{0}",
        ]
        // FNV-1a: nothing is kept secret by it.
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for part in asked + parameters {
            for byte in part.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
            hash = (hash ^ 0xFF) &* 0x100_0000_01B3
        }
        return "\(session)-\(load)-\(String(hash, radix: 16))"
    }
}
