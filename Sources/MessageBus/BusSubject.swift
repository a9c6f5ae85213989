/// The rules for subjects. libnats writes a subject into the protocol without a check, so that a
/// space or a line feed in a subject would break the connection.
enum BusSubject {
    /// Whether messages can be published to the subject: one or more tokens with dots between them.
    /// A token has no spaces, control characters or wildcards.
    static func isPublishable(_ subject: String) -> Bool {
        isValid(subject) { $0 != UInt8(ascii: "*") && $0 != UInt8(ascii: ">") }
    }

    /// Whether the subject can be subscribed to. It may contain wildcards.
    static func isSubscribable(_ subject: String) -> Bool {
        isValid(subject) { _ in true }
    }

    private static func isValid(_ subject: String, _ isPermitted: (UInt8) -> Bool) -> Bool {
        var isTokenEmpty = true
        for byte in subject.utf8 {
            if byte == UInt8(ascii: ".") {
                if isTokenEmpty { return false }
                isTokenEmpty = true
            } else {
                guard byte > 0x20, byte != 0x7F, isPermitted(byte) else { return false }
                isTokenEmpty = false
            }
        }
        return !isTokenEmpty
    }
}

/// A subscription to a subject.
struct BusSubscription: Sendable {
    let subject: String
    /// The queue group; nil: the subscription receives all messages of its subject.
    let group: String?
    /// Whether the messages are answers to messages with a reply subject.
    let receivesReplies: Bool
}
