package import RefreshBroker

/// How sessions reach the broker. Production posts to the broker's thread; the scenario runner
/// calls backends on simulated time. The answer comes back as `Session.loadEnded`, never before
/// `start` or `cancel` has returned.
package protocol LoadDispatching: AnyObject {
    /// Wants a page within `deadlineMs` from now.
    func start(_ ticket: LoadTicket, _ wish: LoadWish, deadlineMs: Int)
    /// Nobody waits for the load any more.
    func cancel(_ ticket: LoadTicket, because reason: LeaveReason)
}
