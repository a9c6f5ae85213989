/// What the handler said when it let an upgrade in; held until the connection stands.
final class Admission {
    let messageBytesMax: Int
    let tag: Int

    init(messageBytesMax: Int, tag: Int) {
        self.messageBytesMax = messageBytesMax
        self.tag = tag
    }
}
