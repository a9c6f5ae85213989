internal import RefreshProtocol
internal import Yams

/// The section of one feed, or of one entry of `backends`. Its keys have been checked. Its values
/// have not been read yet.
struct FeedSection {
    /// The role of a section, which determines the keys that it may set.
    enum Role {
        /// A feed that does not share its backend: all keys.
        case alone
        /// A feed of an entry of `backends`. The entry sets the keys of the backend as a whole.
        case member
        /// An entry of `backends`. Its feeds may set the keys that it leaves out, except those of
        /// the backend as a whole.
        case shared
    }

    /// The feed's own entries, and the entries of its backend that the feed does not replace.
    let settings: SettingsMapping
    /// The node at which missing keys are reported.
    let node: Node
    let kind: BackendKind
    let role: Role
    let folder: ConfigurationFolder
    let limits: Limits

    /// Whether feeds may still replace and add keys.
    var isPart: Bool { role == .shared }

    /// Returns whether this section must set a key.
    func owns(_ name: String) -> Bool {
        switch role {
        case .alone: true
        case .member: !kind.backendKeys.contains(name)
        case .shared: kind.backendKeys.contains(name)
        }
    }
}

extension SettingsReader {
    /// Returns the value of a key that a feed must have.
    mutating func required(_ name: String, in section: FeedSection) -> Node? {
        if let value = section.settings[name] { return value }
        if section.owns(name) {
            report("`\(name)` is missing", key: section.settings.path, at: section.node)
        }
        return nil
    }

    /// Returns the path of a file that a feed must name, as written.
    mutating func requiredPath(_ name: String, in section: FeedSection) -> String? {
        guard let node = required(name, in: section),
            let path = string(node, key: section.settings.key(name))
        else { return nil }
        if ConfigurationFolder.isEscaped(by: path) {
            report(
                "a relative path must not leave the folder of this file",
                key: section.settings.key(name), at: node)
            return nil
        }
        return path
    }

    /// Returns the size limit of an answer.
    mutating func answerBytes(
        _ name: String, in section: FeedSection, standard: Int
    ) -> Int {
        let range = 1024...section.limits.backendResponseBytesMax
        return integer(name, in: section.settings, range) ?? min(standard, range.upperBound)
    }
}
