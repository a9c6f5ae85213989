internal import Foundation
package import MessageBus

/// A connection to the bus with a thread that receives its events.
package final class BusListener: Sendable {
    package let connection: BusConnection
    private let threads = DispatchGroup()

    /// Passes each event to `handle`, on one thread.
    package init(
        _ options: BusOptions, handle: @escaping @Sendable (BusEvent) -> Void
    ) throws(BusError) {
        let connection = try BusConnection(options)
        self.connection = connection
        threads.enter()
        let thread = Thread { [threads] in
            var events: [BusEvent] = []
            while connection.receive(into: &events, untilMs: nil) { events.forEach(handle) }
            threads.leave()
        }
        thread.name = "bus"
        thread.start()
    }

    deinit { connection.close() }

    /// Closes the connection. No event is passed any more after the call has returned. It must not
    /// be called by the handler.
    package func close() {
        connection.close()
        threads.wait()
    }
}
