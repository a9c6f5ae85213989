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
        /// The finger travels along the path, and the daemon computes the position of the list.
        case pan(Path)
        /// The finger rests for this time, in milliseconds.
        case hold(Double)
        /// The finger is lifted. The velocity is in points per second. If it is nil, no velocity is
        /// sent.
        case release(velocity: Amount?)
        /// The system cancels the gesture.
        case interrupt
        /// The list moves without a finger. If `cause` is nil, no cause is sent.
        case glide(Path, cause: String?)
        /// The list comes to rest at this offset. If the offset is nil, the list rests where it is.
        case settle(Amount?)
    }
}
