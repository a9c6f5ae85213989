import RefreshBroker
import RefreshProtocol
import RefreshServer
import RefreshSession

/// The broker of a daemon, as far as its sessions see it: who waits is told one end, when the
/// search says so; who does not want its load any more at once.
final class WantedLoads: LoadDispatching {
    private let directory: LoopDirectory
    private(set) var running: [LoadTicket] = []
    /// What sessions must not ask.
    private(set) var mistake: String?

    init(_ directory: LoopDirectory) { self.directory = directory }

    func start(_ ticket: LoadTicket, _ wish: BrokerRequest, deadlineMs: Int) {
        if running.contains(ticket) { mistake = "load \(ticket.load) is started twice" }
        running.append(ticket)
    }

    func cancel(_ ticket: LoadTicket, because reason: LeaveReason) {
        guard let place = running.firstIndex(of: ticket) else { return }
        running.remove(at: place)
        directory.deliver(.ended(.cancelled), to: [ticket])
    }

    /// The load that runs longest is answered.
    func answerFirst() {
        guard !running.isEmpty else { return }
        let ticket = running.removeFirst()
        directory.deliver(
            .ended(.page(Page(items: Array("[1,2]".utf8), count: 2, more: false))), to: [ticket])
    }
}
