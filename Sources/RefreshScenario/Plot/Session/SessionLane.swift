/// A strip of the picture of a session.
struct SessionLane {
    var name: String
    /// Points.
    var height: Double
    /// What it shows, drawn with its upper edge there.
    var draw: (_ top: Double) -> String
}
