/// The meaning of a pull at an edge. All offsets are physical (see docs/protocol.md, "Units and
/// signs").
package struct EdgeLaw: Hashable, Sendable, Codable {
    /// The offset at which the pull begins. `whole` is the offset at which the pull is complete.
    package var begin: Double
    package var whole: Double
    /// The offset at which a finger arms the edge; nil if a finger does not arm the edge.
    package var arm: Double?
    /// The offset at which a finger that moves back disarms the edge.
    package var disarm: Double
    /// Whether `arm` must be passed rather than only reached.
    package var isStrict = false
    /// When an armed edge fires; nil if the client cannot predict it.
    package var fires: Fires?
    /// A second condition that also arms the edge: at its present speed, the list will reach a
    /// certain offset within a certain time. Nil if there is no such condition.
    package var lead: Lead?
    /// The room that opens when the edge fires, in points. `duration` is the number of milliseconds
    /// that the opening takes.
    package var room = 0.0
    package var duration: UInt32 = 0

    package init(begin: Double, whole: Double) {
        self.begin = begin
        self.whole = whole
        self.disarm = whole
    }

    package enum Fires: String, Sendable, Codable {
        /// The edge fires when the finger lifts.
        case release
        /// The edge fires as soon as it is armed.
        case reach
    }

    package struct Lead: Hashable, Sendable, Codable {
        /// The time, in milliseconds.
        package var time: Double
        /// The offset that the list will reach, in points.
        package var place: Double

        package init(time: Double, place: Double) {
            self.time = time
            self.place = place
        }
    }
}
