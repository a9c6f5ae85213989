internal import RefreshProtocol
internal import Yams

/// One feed, or one entry of `backends`, whose keys are known and whose values are still to be
/// read.
struct FeedSection {
    /// Who can say what.
    enum Role {
        /// A feed that has its backend for itself: all of its keys.
        case alone
        /// A feed of an entry of `backends`: what holds for the backend as a whole stands there.
        case member
        /// An entry of `backends`: what it leaves out its feeds may say, unless it holds for all.
        case shared
    }

    /// A feed's own entries, and those of its backend that it does not replace.
    let settings: SettingsMapping
    /// Whom to blame for what is missing.
    let node: Node
    let kind: BackendKind
    let role: Role
    let folder: ConfigurationFolder
    let limits: Limits

    /// Whether feeds may still replace and add keys.
    var isPart: Bool { role == .shared }

    /// Whether it is here that a key must stand.
    func owns(_ name: String) -> Bool {
        switch role {
        case .alone: true
        case .member: !kind.backendKeys.contains(name)
        case .shared: kind.backendKeys.contains(name)
        }
    }
}

extension SettingsReader {
    /// The value of a key that a feed must have.
    mutating func required(_ name: String, in section: FeedSection) -> Node? {
        if let value = section.settings[name] { return value }
        if section.owns(name) {
            report("`\(name)` is missing", key: section.settings.path, at: section.node)
        }
        return nil
    }

    /// The path of a file that a feed must name, as it stands there.
    mutating func requiredPath(_ name: String, in section: FeedSection) -> String? {
        guard let node = required(name, in: section),
            let path = string(node, key: section.settings.key(name))
        else { return nil }
        if ConfigurationFolder.isLeft(by: path) {
            report(
                "a relative path cannot leave the folder of this file",
                key: section.settings.key(name), at: node)
            return nil
        }
        return path
    }

    /// How large an answer may be.
    mutating func answerBytes(
        _ name: String, in section: FeedSection, standard: Int
    ) -> Int {
        let range = 1024...section.limits.backendResponseBytesMax
        return integer(name, in: section.settings, range) ?? min(standard, range.upperBound)
    }
}
