internal import Cryptography
internal import Foundation
internal import RefreshProtocol
internal import RefreshSession

/// A parsed JSON Web Token. Nothing in it is verified yet. Source: RFC 7515, 3 and 4.
struct WebToken: Sendable {
    /// The header: how the token is signed.
    struct Header: Decodable, Sendable {
        var alg: String
        var kid: String?
        /// Whether the token requires an extension (the member `crit`). The daemon supports no
        /// extension, so it rejects such a token. Source: RFC 7515, 4.1.11.
        var hasCriticalExtension: Bool

        private enum Key: CodingKey { case alg, kid, crit }

        init(from decoder: any Decoder) throws {
            let members = try decoder.container(keyedBy: Key.self)
            alg = try members.decode(String.self, forKey: .alg)
            // If `kid` is present, it must be a string. `null` and numbers are errors.
            kid = members.contains(.kid) ? try members.decode(String.self, forKey: .kid) : nil
            hasCriticalExtension = members.contains(.crit)
        }
    }

    let header: Header
    /// The claims; JSON if the token is well-formed.
    let payload: [UInt8]
    let signature: [UInt8]
    /// The bytes that the signature covers.
    let signed: [UInt8]

    /// The maximum length of a token in bytes. A longer token is rejected, even if the limits of
    /// the configuration allow it.
    private static let bytesMax = 65_536

    /// Parses a token. It must have three parts. Each part must be encoded in the only way that the
    /// standard permits.
    init(_ text: String) throws(AdmissionRefusal) {
        guard text.utf8.count <= Self.bytesMax else { throw .malformed }
        let parts = text.utf8.split(
            separator: UInt8(ascii: "."), omittingEmptySubsequences: false
        ).map { Substring($0) }
        guard parts.count == 3, let head = Base64URL.bytes(of: parts[0]),
            let payload = Base64URL.bytes(of: parts[1]),
            let signature = Base64URL.bytes(of: parts[2])
        else { throw .malformed }
        guard UniqueMembers.isSatisfied(by: head),
            let header = try? JSONDecoder().decode(Header.self, from: Data(head))
        else { throw .malformed }
        self.header = header
        self.payload = payload
        self.signature = signature
        signed = Array(text.utf8[..<parts[1].endIndex])
    }
}
