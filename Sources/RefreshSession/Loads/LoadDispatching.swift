package import RefreshBroker
package import RefreshProtocol

/// The sessions' interface to the broker. In production, the calls are posted to the broker's
/// thread. In the scenario runner, they call backends on simulated time. Answers arrive as
/// `SessionInput.load`, but never before `start` or `cancel` has returned.
package protocol LoadDispatching: AnyObject {
    /// Requests a page within `deadlineMs` milliseconds from now.
    func start(_ ticket: LoadTicket, _ brokerRequest: BrokerRequest, deadlineMs: Int)
    /// Cancels the load for this session. The end of the load still arrives.
    func cancel(_ ticket: LoadTicket, because reason: LeaveReason)
    /// Performs an edit within `deadlineMs` milliseconds from now. The outcome arrives as
    /// `SessionInput.edited`, but never before `edit` has returned. An edit cannot be cancelled: it
    /// is performed even if the session has ended.
    func edit(_ ticket: EditTicket, _ request: EditRequest, deadlineMs: Int)
}

extension LoadDispatching {
    /// A dispatcher for sessions whose feeds accept no edits is never asked for one.
    package func edit(_ ticket: EditTicket, _ request: EditRequest, deadlineMs: Int) {}
}
