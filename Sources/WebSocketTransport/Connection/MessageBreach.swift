/// The reason why the transport closes a connection because of a message.
package enum MessageBreach: String, CaseIterable, Sendable {
    /// It is larger than the admission allows. Closes with 1009.
    case tooBig
    /// It is a text that is not UTF-8. Closes with 1007.
    case notText
    /// More frames in a second that are not a complete message (fragments and pongs) than the
    /// admission allows. Closes with 4104.
    case tooManyFrames
}
