internal import RefreshBroker
internal import WebSocketTransport

extension Server {
    /// Returns a watchdog that checks every loop and the broker. The watchdog calls `alive` each
    /// time all of them have answered.
    package func watchdog(alive: @escaping @Sendable () -> Void) -> Watchdog {
        var members: [@Sendable (_ answer: @escaping @Sendable () -> Void) -> Void] = []
        for loop in loops { members.append { answer in loop.post(answer) } }
        let broker = broker
        members.append { broker.enqueueBarrier($0) }
        return Watchdog(probing: members, alive: alive)
    }
}
