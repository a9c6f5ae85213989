/// The motion of a finger, or of inertia, on a view.
package struct Gesture: Hashable, Sendable {
    package var view: String
    package var motion: Motion

    package init(view: String, motion: Motion) {
        self.view = view
        self.motion = motion
    }

    /// The kind of motion.
    package enum Motion: Hashable, Sendable {
        /// The finger moves the content offset along the path.
        case drag(Path)
        /// The finger travels along the path; the daemon owns the physics.
        case pan(Path)
        /// The finger rests for this time, in milliseconds.
        case hold(Double)
        /// The finger is lifted, with a velocity in points per second if one is reported.
        case release(velocity: Amount?)
        /// The system cancels the gesture.
        case interrupt
        /// The list moves without a finger; nil if no cause is sent.
        case glide(Path, cause: String?)
        /// The list comes to rest, at an offset if one is given.
        case settle(Amount?)
    }
}
