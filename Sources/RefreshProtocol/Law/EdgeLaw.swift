/// The meaning of a pull at an edge. All offsets are physical.
package struct EdgeLaw: Hashable, Sendable, Codable {
    /// The offsets at which the pull begins and at which it is complete. "Beyond" means the
    /// direction from `begin` to `whole`.
    package var begin: Double
    package var whole: Double
    /// The offset at which a finger arms the edge; nil: none.
    package var arm: Double?
    /// The offset at which a finger that moves back disarms the edge.
    package var disarm: Double
    /// Whether `arm` must be passed rather than only reached.
    package var isStrict = false
    /// When an armed edge fires; nil: not predictable.
    package var fires: Fires?
    /// An additional arming condition: the list will reach this place soon enough; nil: none.
    package var lead: Lead?
    /// The room that opens when the edge fires, points, and the milliseconds that this takes.
    package var room = 0.0
    package var duration: UInt32 = 0

    package init(begin: Double, whole: Double) {
        self.begin = begin
        self.whole = whole
        self.disarm = whole
    }

    package enum Fires: String, Sendable, Codable {
        /// When the finger lifts.
        case release
        /// Immediately.
        case reach
    }

    package struct Lead: Hashable, Sendable, Codable {
        /// Milliseconds.
        package var time: Double
        /// The position that the list will reach, points.
        package var place: Double

        package init(time: Double, place: Double) {
            self.time = time
            self.place = place
        }
    }
}
