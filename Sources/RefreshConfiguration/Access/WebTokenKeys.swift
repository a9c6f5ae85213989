package import Cryptography
internal import Foundation
internal import RefreshProtocol

/// The keys that verify JSON Web Tokens, as they were read from the key file.
package struct WebTokenKeys: Sendable {
    package let keys: [WebTokenKey]
    /// Whether the file contains only a secret: one key without a name.
    package let isSecretFile: Bool
    /// Whether the file contains a secret and is accessible to users other than its owner.
    package let isSecretExposed: Bool

    private static let fileBytesMax = 1_048_576

    /// Reads the key file. Throws if the file cannot be used, or if it contains no key for one of
    /// the accepted algorithms.
    package init(_ settings: WebTokenSettings) throws(KeyFileProblem) {
        let file = try Self.read(settings.keys.path)
        switch settings.keys {
        case .secret:
            isSecretFile = true
            keys = [
                WebTokenKey(
                    algorithm: .HS256, kid: nil,
                    material: try .secret(file.line))
            ]
        case .jwks:
            isSecretFile = false
            keys = try Self.keys(file.bytes, of: settings.algorithms)
        }
        isSecretExposed = file.isOpenToOthers && keys.contains { $0.algorithm == .HS256 }
        for algorithm in settings.algorithms
        where !keys.contains(where: { $0.algorithm == algorithm }) {
            throw KeyFileProblem("there is no key for \(algorithm.rawValue)")
        }
    }

    private static func read(_ path: String) throws(KeyFileProblem) -> NamedFile {
        do throws(NamedFile.Refusal) {
            return try NamedFile(path: path, bytesMax: fileBytesMax)
        } catch {
            throw KeyFileProblem("\(NamedFile.name(ofSecretAt: path)): \(error.reason)")
        }
    }

    private static func keys(
        _ bytes: [UInt8], of algorithms: [WebTokenSettings.Algorithm]
    ) throws(KeyFileProblem) -> [WebTokenKey] {
        guard let set = try? JSONDecoder().decode(JSONWebKeySet.self, from: Data(bytes)) else {
            throw KeyFileProblem("the file is not a JSON Web Key Set")
        }
        var keys: [WebTokenKey] = []
        for (index, entry) in set.keys.enumerated() {
            // An issuer's file may contain keys for other purposes. They are skipped.
            guard let algorithm = entry.algorithm, algorithms.contains(algorithm) else { continue }
            if let kid = entry.kid {
                guard !kid.isEmpty else { throw KeyFileProblem("keys[\(index)]: `kid` is empty") }
                guard !keys.contains(where: { $0.kid?.hasBytes(of: kid) == true }) else {
                    throw KeyFileProblem("keys[\(index)]: another key has the same `kid`")
                }
            }
            do throws(KeyFileProblem) {
                let material = try entry.material(of: algorithm)
                keys.append(WebTokenKey(algorithm: algorithm, kid: entry.kid, material: material))
            } catch {
                throw KeyFileProblem("keys[\(index)]: \(error.message)")
            }
        }
        return keys
    }
}

/// A key that verifies signatures of one algorithm only. A token's header cannot select another
/// algorithm.
package struct WebTokenKey: Sendable {
    /// The key itself, secret or public.
    package enum Material: Sendable {
        case hmac(SymmetricKey)
        case rsa(RSAPublicKey)
        case p256(P256PublicKey)

        /// Creates a secret of HS256. The secret must have at least the length of the digest, 32
        /// bytes. Source: RFC 7518, 3.2.
        static func secret(_ bytes: [UInt8]) throws(KeyFileProblem) -> Material {
            guard bytes.count >= 32 else {
                throw KeyFileProblem("an HS256 secret must have at least 32 bytes")
            }
            return .hmac(SymmetricKey(bytes))
        }
    }

    package let algorithm: WebTokenSettings.Algorithm
    /// The key's name; nil if it has none.
    package let kid: String?
    package let material: Material
}

/// The reason why a key file cannot be used: a message for the operator. It contains no part of the
/// file's contents.
package struct KeyFileProblem: Error, Hashable, Sendable {
    package var message: String

    init(_ message: String) { self.message = message }
}
