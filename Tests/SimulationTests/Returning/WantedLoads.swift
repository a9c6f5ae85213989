import RefreshBroker
import RefreshProtocol
import RefreshServer
import RefreshSession

/// The broker of a daemon, as its sessions see it. Each load ends once, when the search answers it.
/// A cancelled load ends at once.
final class WantedLoads: LoadDispatching {
    private let directory: LoopDirectory
    private(set) var running: [LoadTicket] = []
    /// A request that a session must not make.
    private(set) var mistake: String?

    init(_ directory: LoopDirectory) { self.directory = directory }

    func start(_ ticket: LoadTicket, _ request: BrokerRequest, deadlineMs: Int) {
        if running.contains(ticket) { mistake = "load \(ticket.load) is started twice" }
        running.append(ticket)
    }

    func cancel(_ ticket: LoadTicket, because reason: LeaveReason) {
        guard let index = running.firstIndex(of: ticket) else { return }
        running.remove(at: index)
        directory.deliver(.ended(.cancelled), to: [ticket])
    }

    /// Answers the load that has run longest.
    func answerFirst() {
        guard !running.isEmpty else { return }
        let ticket = running.removeFirst()
        directory.deliver(
            .ended(.page(Page(items: Array("[1,2]".utf8), count: 2, more: false))), to: [ticket])
    }
}
