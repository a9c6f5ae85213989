package import RefreshBroker

/// The sessions' interface to the broker. In production, the calls are posted to the broker's
/// thread. In the scenario runner, they call backends on simulated time. Answers arrive as
/// `SessionInput.load`, but never before `start` or `cancel` has returned.
package protocol LoadDispatching: AnyObject {
    /// Requests a page within `deadlineMs` milliseconds from now.
    func start(_ ticket: LoadTicket, _ brokerRequest: BrokerRequest, deadlineMs: Int)
    /// Cancels the load for this session.
    func cancel(_ ticket: LoadTicket, because reason: LeaveReason)
}
