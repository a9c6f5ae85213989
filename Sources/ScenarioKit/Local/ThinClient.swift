package import RefreshProtocol

/// A client of one view according to docs/protocol.md, "The control law". It receives samples of
/// the hand and messages of the daemon, and returns the messages to send and the display.
package protocol ThinClient {
    /// Receives a message of the daemon about the view.
    mutating func receive(_ message: JSONValue, at t: Double)
    /// Processes a sample of the hand or the list. Returns the messages to send for it, in one
    /// frame.
    mutating func handleSample(_ sample: HandSample) -> [JSONValue]
    /// Processes a frame without motion. Returns the messages to send.
    mutating func tick(at t: Double) -> [JSONValue]
    /// Returns `message`, preceded by the messages that must be sent before it.
    mutating func prepareMessage(_ message: JSONValue, at t: Double) -> [JSONValue]
    /// Returns the display at `t`.
    func display(at t: Double) -> DisplayState
    /// Returns whether a command moves the list at `t`.
    func isAnimating(at t: Double) -> Bool
}
