internal import RefreshProtocol

/// The decoder and output buffer of a loop, shared by all of its sessions.
final class SharedFrameScratch {
    let box: UnsafeBox<FrameScratch>

    init(limits: Limits) { box = UnsafeBox(FrameScratch(limits: limits)) }
}
