/// What the handler said when it let an upgrade in; held until the connection stands.
final class Admission {
    let messageBytesMax: Int
    let tag: Int
    let keeps: AnyObject?

    init(messageBytesMax: Int, tag: Int, keeps: AnyObject? = nil) {
        self.keeps = keeps
        self.messageBytesMax = messageBytesMax
        self.tag = tag
    }
}
