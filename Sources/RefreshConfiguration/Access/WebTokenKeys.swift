internal import Foundation
internal import RefreshProtocol

/// The keys of the configuration, as last read from the file.
package struct WebTokenKeys: Sendable {
    package let keys: [WebTokenKey]
    /// Whether the file is a bare secret: one key without a name.
    package let isSecretFile: Bool
    /// Whether the file holds a secret and is accessible to users other than its owner.
    package let isSecretExposed: Bool

    private static let fileBytesMax = 1_048_576

    /// Reads the file. Throws unless each algorithm has a key.
    package init(_ settings: WebTokenSettings) throws(KeyFileProblem) {
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
}
