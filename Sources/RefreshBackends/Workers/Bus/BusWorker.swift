internal import RefreshBroker

/// The identity of a worker on the message bus, which the worker has drawn itself: 64 random bits.
package struct BusWorkerID: Hashable, Sendable {
    package let bits: UInt64

    package init(bits: UInt64) { self.bits = bits }
}

/// The identity of one offer of a load to the workers on the bus. Each attempt at a load is another
/// offer. The number is random, so only a receiver of the offer can answer it. It is the `id` of
/// the load on the wire.
package struct LoadOfferID: Hashable, Sendable {
    package let number: UInt64

    package init(_ number: UInt64) { self.number = number }

    /// The identity as the messages of the line protocol contain it.
    var call: CallID { CallID(number) }
}

/// What the bus reports to the backend of the workers.
package enum BusWorkerInput: Sendable {
    case connected
    /// The connection to the bus was lost. Offers and answers may be lost too.
    case disconnected
    /// No worker subscribes to the feed of the offer.
    case noWorker(LoadOfferID)
    /// The load of the offer is larger than the bus accepts.
    case tooLarge(LoadOfferID)
    /// A message about an offer. `from` is nil if the message names no worker.
    case answer([UInt8], to: LoadOfferID, from: BusWorkerID?)
    /// A message that reports a change of the feed.
    case change([UInt8], feed: String)

    /// The number of bytes of the received message; nil if the input is none.
    var bytes: Int? {
        switch self {
        case .connected, .disconnected, .tooLarge: nil
        case .noWorker: 0
        case .answer(let message, _, _), .change(let message, _): message.count
        }
    }
}

/// What becomes of the message of an offer.
package enum OfferDelivery: Sendable {
    case sent
    /// The message is not sent, but may be sent later.
    case notSent
    /// The message is larger than the bus accepts, so it can never be sent.
    case tooLarge
}

/// The connection to the bus on which workers serve loads. Its methods may be called from any
/// thread and do not block.
package protocol WorkerBus: AnyObject, Sendable {
    /// Publishes a load for one of the workers that subscribe to the feed, or an edit for one of
    /// those that subscribe to its edits.
    func offer(
        _ load: [UInt8], as id: LoadOfferID, feed: String, isEdit: Bool
    ) -> OfferDelivery

    /// Sends a message to a worker.
    func send(_ message: [UInt8], to worker: BusWorkerID)
}
