internal import RefreshProtocol

/// The decoder and output buffer of a loop, shared by all of its sessions.
final class SharedFrameScratch {
    let place: UnsafeBox<FrameScratch>

    init(limits: Limits) { place = UnsafeBox(FrameScratch(limits: limits)) }
}
