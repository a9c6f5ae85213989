internal import RefreshProtocol

/// The desk of a loop, for all of its sessions.
final class SharedDesk {
    let place: Owned<Desk>

    init(limits: Limits) { place = Owned(Desk(limits: limits)) }
}
