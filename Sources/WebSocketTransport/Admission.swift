/// What the handler said when it let an upgrade in; held until the connection stands.
final class Admission {
    let messageBytesMax: Int
    let tag: Int
    let loosePerSecondMax: Int
    /// What the connection keeps from its beginning.
    let owner: AnyObject?

    init(messageBytesMax: Int, tag: Int, loosePerSecondMax: Int = .max, owner: AnyObject? = nil) {
        self.messageBytesMax = messageBytesMax
        self.tag = tag
        self.loosePerSecondMax = loosePerSecondMax
        self.owner = owner
    }
}
