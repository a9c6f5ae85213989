/// What a finger, or inertia, does to a view.
package struct Gesture: Hashable, Sendable {
    package var view: String
    package var motion: Motion

    package init(view: String, motion: Motion) {
        self.view = view
        self.motion = motion
    }

    /// How it moves.
    package enum Motion: Hashable, Sendable {
        /// The finger moves the content's offset along the path.
        case drag(Path)
        /// The finger travels along the path; the daemon owns the physics.
        case pan(Path)
        /// The finger rests for milliseconds.
        case hold(Double)
        /// The finger is lifted, with a velocity in points per second where one is reported.
        case release(velocity: Amount?)
        /// The system takes the gesture away.
        case interrupt
        /// The list moves without a finger; nil: the cause is not told.
        case glide(Path, cause: String?)
        /// The list comes to rest, at an offset if one is given.
        case settle(Amount?)
    }
}
