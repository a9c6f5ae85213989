internal import RefreshProtocol

/// The decoder and output buffer of a loop, shared by all of its sessions.
final class SharedDesk {
    let place: Owned<Desk>

    init(limits: Limits) { place = Owned(Desk(limits: limits)) }
}
