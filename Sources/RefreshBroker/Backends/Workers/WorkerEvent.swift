/// An event for the thread of a worker backend.
enum WorkerEvent: Sendable {
    case started(PendingLoad)
    case cancelled(PendingLoad)
    case joined(WorkerID, feeds: Set<String>?, capacity: Int)
    case received(WorkerID, WorkerMessage)
    case receivedInvalid(WorkerID, WorkerMessageFault)
    case lost(WorkerID)
    case stop
}
