internal import Cryptography

/// What the daemon needs to authenticate at the servers of a cluster. The file that
/// `ClusterSettings.Login` names is valid.
package enum ClusterCredentials: Hashable, Sendable {
    /// A credentials file of NATS.
    case file(path: String)
    /// A file with the seed of an nkey.
    case nkey(path: String)
    case password(user: String, password: String)

    private static let fileBytesMax = 1_048_576
    private static let passwordBytesMax = 256

    /// Reads the file. Throws if it cannot be used.
    package init(_ login: ClusterSettings.Login) throws(KeyFileProblem) {
        let name = NamedFile.name(ofSecretAt: login.path)
        do throws(NamedFile.Refusal) {
            let file = try NamedFile(path: login.path, bytesMax: Self.fileBytesMax)
            self = try Self.credentials(login, file)
        } catch {
            throw KeyFileProblem("\(name): \(error.reason)")
        }
    }

    private static func credentials(
        _ login: ClusterSettings.Login, _ file: NamedFile
    ) throws(NamedFile.Refusal) -> ClusterCredentials {
        guard let text = String(validating: file.bytes, as: UTF8.self) else {
            throw NamedFile.Refusal("not UTF-8")
        }
        switch login {
        case .credentials(let path):
            try checkCredentials(text)
            return .file(path: path)
        case .nkey(let path):
            try checkSeed(text)
            return .nkey(path: path)
        case .password(let user, _):
            return .password(user: user, password: try password(file))
        }
    }

    // MARK: Contents

    /// Checks that a text has the two parts of a credentials file.
    private static func checkCredentials(_ text: String) throws(NamedFile.Refusal) {
        _ = try value(of: "NATS USER JWT", named: "token", in: text)
        let seed = try value(of: "USER NKEY SEED", named: "seed", in: text)
        guard NKeySeed(seed) != nil else {
            throw NamedFile.Refusal("the seed in it is not the seed of a user (SU…), or is damaged")
        }
    }

    /// Returns the line after the line that begins a part.
    private static func value(
        of part: String, named name: String, in text: String
    ) throws(NamedFile.Refusal) -> Substring {
        let lines = text.split(whereSeparator: \.isNewline)
        guard let start = lines.firstIndex(of: "-----BEGIN \(part)-----"),
            start + 1 < lines.count, !lines[start + 1].hasPrefix("---")
        else {
            throw NamedFile.Refusal(
                "not a credentials file of NATS: `-----BEGIN \(part)-----` is missing, or no "
                    + "\(name) follows it")
        }
        return lines[start + 1]
    }

    /// Checks that a line of a text is the seed of a user.
    private static func checkSeed(_ text: String) throws(NamedFile.Refusal) {
        let line = text.split(whereSeparator: \.isNewline).first { $0.hasPrefix("SU") }
        guard let line, NKeySeed(line) != nil else {
            throw NamedFile.Refusal(
                "it has no line with the seed of a user (SU…, 58 characters), or it is damaged")
        }
    }

    private static func password(_ file: NamedFile) throws(NamedFile.Refusal) -> String {
        guard let password = String(validating: file.line, as: UTF8.self), !password.isEmpty,
            file.line.count <= passwordBytesMax,
            password.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control })
        else {
            throw NamedFile.Refusal(
                "not a password, which is one line of 1 to \(passwordBytesMax) bytes")
        }
        return password
    }
}
