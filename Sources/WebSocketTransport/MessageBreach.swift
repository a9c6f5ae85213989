/// Why a message makes the transport close its connection.
package enum MessageBreach: String, CaseIterable, Sendable {
    /// Larger than the admission allows; closes with 1009.
    case tooBig
    /// A text that is not UTF-8; closes with 1007.
    case notText
    /// More frames in a second that are no whole message, fragments and pongs, than the admission
    /// allows; closes with 4104.
    case tooManyFrames
}
