internal import Foundation
internal import RefreshProtocol
internal import RefreshSession

/// The keys of the configuration, as last read from the file.
struct WebTokenKeys: Sendable {
    private let keys: [WebTokenKey]
    /// Whether the file is a bare secret: one key without a name.
    private let isSecretFile: Bool
    /// Whether the file holds a secret and is accessible to users other than its owner.
    let isSecretExposed: Bool

    private static let fileBytesMax = 1_048_576

    /// Reads the file. Throws unless each algorithm has a key.
    init(_ settings: WebTokenSettings) throws(KeyFileProblem) {
        let file = try Self.read(settings.keys.path)
        let bytes = file.bytes
        switch settings.keys {
        case .secret:
            isSecretFile = true
            keys = [
                WebTokenKey(
                    algorithm: .HS256, kid: nil,
                    material: try .secret(Self.removingFinalLineBreak(bytes)))
            ]
        case .jwks:
            isSecretFile = false
            keys = try Self.keys(bytes, of: settings.algorithms)
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

    /// Removes a final line break, which editors add and which is not part of the secret.
    private static func removingFinalLineBreak(_ bytes: [UInt8]) -> [UInt8] {
        guard bytes.last == UInt8(ascii: "\n") else { return bytes }
        let rest = bytes.dropLast()
        return Array(rest.last == UInt8(ascii: "\r") ? rest.dropLast() : rest)
    }

    private static func keys(
        _ bytes: [UInt8], of algorithms: [WebTokenSettings.Algorithm]
    ) throws(KeyFileProblem) -> [WebTokenKey] {
        guard let set = try? JSONDecoder().decode(JSONWebKeySet.self, from: Data(bytes)) else {
            throw KeyFileProblem("the file is not a JSON Web Key Set")
        }
        var keys: [WebTokenKey] = []
        for (index, entry) in set.keys.enumerated() {
            // An issuer's file may hold keys for other purposes.
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

    /// Returns the key that the token must be signed with: the one of its algorithm and `kid`.
    /// Without a `kid`, the algorithm must have exactly one key.
    func key(
        _ algorithm: WebTokenSettings.Algorithm, kid: String?
    ) throws(AdmissionRefusal) -> WebTokenKey {
        let candidates = keys.filter { $0.algorithm == algorithm }
        // A secret file has no key names, so the token's `kid` is ignored.
        guard let kid, !isSecretFile else {
            guard candidates.count == 1, let key = candidates.first else { throw .unknownKey }
            return key
        }
        guard let key = candidates.first(where: { $0.kid?.hasBytes(of: kid) == true }) else {
            throw .unknownKey
        }
        return key
    }
}
