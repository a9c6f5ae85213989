/// What a pull at an edge means. All offsets are physical.
package struct EdgeLaw: Hashable, Sendable, Codable {
    /// Where the pull begins, and where it is whole; "beyond" means this direction.
    package var begin: Double
    package var whole: Double
    /// Where a finger arms the edge; nil: nowhere.
    package var arm: Double?
    /// Where one that goes back has disarmed it.
    package var disarm: Double
    /// Whether `arm` must be passed, and not only reached.
    package var isStrict = false
    /// What an armed edge does; nil: nothing that can be foreseen.
    package var fires: Fires?
    /// Armed also where the list comes to this place soon enough; nil: not.
    package var lead: Lead?
    /// The room that opens when it fires, points, and in how many milliseconds.
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
        /// At once.
        case reach
    }

    package struct Lead: Hashable, Sendable, Codable {
        /// Milliseconds.
        package var time: Double
        /// Where the list comes to, points.
        package var place: Double

        package init(time: Double, place: Double) {
            self.time = time
            self.place = place
        }
    }
}
