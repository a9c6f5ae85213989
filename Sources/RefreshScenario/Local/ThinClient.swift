package import RefreshProtocol

/// A client of one view as docs/protocol.md, "The control law", tells it to be: it is told what the
/// hand does, says what is to be sent, hears what the daemon says, and shows.
package protocol ThinClient {
    /// A message of the daemon about the view.
    mutating func receive(_ message: JSONValue, at t: Double)
    /// The hand or the list did something; what is to be sent for it, in one frame.
    mutating func move(_ sample: HandSample) -> [JSONValue]
    /// A frame in which nothing moved.
    mutating func tick(at t: Double) -> [JSONValue]
    /// `message` is to be sent; what goes before it, and it.
    mutating func say(_ message: JSONValue, at t: Double) -> [JSONValue]
    /// What is shown.
    func picture(at t: Double) -> Picture
    /// The place at which the list rests or is going to, and whether a command moves it.
    func isMoved(at t: Double) -> Bool
}
