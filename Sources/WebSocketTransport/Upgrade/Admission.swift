/// The handler's parameters for an accepted upgrade. It is kept until the connection is open.
final class Admission {
    let messageBytesMax: Int
    let tag: Int
    let loosePerSecondMax: Int
    /// The initial value of `Connection.owner`.
    let owner: AnyObject?

    init(messageBytesMax: Int, tag: Int, loosePerSecondMax: Int = .max, owner: AnyObject? = nil) {
        self.messageBytesMax = messageBytesMax
        self.tag = tag
        self.loosePerSecondMax = loosePerSecondMax
        self.owner = owner
    }
}
