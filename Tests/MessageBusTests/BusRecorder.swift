import BusTesting
import MessageBus
import Synchronization
import Workbench

/// A connection to the bus, and the events that it has reported so far.
final class BusRecorder: Sendable {
    private let recorded = Record()
    private let listener: BusListener
    var connection: BusConnection { listener.connection }

    private final class Record: Sendable {
        let events = Mutex<[BusEvent]>([])
    }

    init(_ options: BusOptions) throws(BusError) {
        listener = try BusListener(options) { [recorded] event in
            recorded.events.withLock { $0.append(event) }
        }
    }

    convenience init(_ servers: NATSServer..., name: String = "test") throws(BusError) {
        try self.init(BusOptions(name: name, servers: servers.map(\.url)))
    }

    deinit { listener.close() }

    var events: [BusEvent] { recorded.events.withLock { $0 } }

    /// The last event. It is read without a copy of all events, which would slow the handler down.
    var lastEvent: BusEvent? { recorded.events.withLock { $0.last } }

    /// The number of events, without a copy of them.
    var count: Int { recorded.events.withLock { $0.count } }

    /// The servers of all `connected` events.
    var connectedServers: [String] {
        events.compactMap { if case .connected(let server) = $0 { server } else { nil } }
    }

    /// The reasons of all `disconnected` events.
    var disconnections: [String] {
        events.compactMap { if case .disconnected(let reason) = $0 { reason } else { nil } }
    }

    /// The reasons of all `failed` events.
    var failures: [String] {
        events.compactMap { if case .failed(let reason) = $0 { reason } else { nil } }
    }

    /// The messages that were received, as text.
    var messages: [String] {
        events.compactMap {
            if case .received(let bytes, _, _) = $0 {
                String(decoding: bytes, as: UTF8.self)
            } else {
                nil
            }
        }
    }

    /// Waits until the connection was established this many times.
    func connects(_ count: Int = 1) async -> Bool {
        await becomesTrue { connectedServers.count >= count }
    }

    /// Publishes a text.
    @discardableResult
    func publish(_ text: String, to subject: String) -> Bool {
        connection.publish(Array(text.utf8), to: subject)
    }

    /// Publishes and receives in a circle, until a message of this connection arrives at `other`,
    /// which must have subscribed to `subject`. Afterwards the server knows all subscriptions.
    func reaches(_ other: BusRecorder, by subject: String) async -> Bool {
        await becomesTrue {
            publish("ping", to: subject)
            return other.messages.contains("ping")
        }
    }
}
