/// A strip of the picture of a session.
struct SessionLane {
    var name: String
    /// Points.
    var height: Double
    /// Returns the drawing of the lane with its upper edge at `top`.
    var draw: (_ top: Double) -> String
}
