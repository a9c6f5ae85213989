package import RefreshProtocol

/// When the engine wants to be asked again, by reason. Deadlines are state: there are no timers to arm
/// or cancel, only `next`.
package struct Deadlines: Hashable, Sendable {
    /// A gesture without a sign of life is taken as cancelled.
    package var gesture: Instant?
    /// The refresh load has taken too long.
    package var refreshLoad: Instant?
    /// The load-more load has taken too long.
    package var moreLoad: Instant?
    /// The spring back of a released over-scroll has ended.
    package var settle: Instant?

    package init() {}

    package var next: Instant? {
        @inline(__always) get {
            var next = gesture
            Self.note(refreshLoad, in: &next)
            Self.note(moreLoad, in: &next)
            Self.note(settle, in: &next)
            return next
        }
    }

    @inline(__always)
    package static func note(_ deadline: Instant?, in next: inout Instant?) {
        guard let deadline else { return }
        if let earlier = next, earlier <= deadline { return }
        next = deadline
    }
}
