/// An event for the thread of a worker backend.
enum WorkerEvent: Sendable {
    case started(PendingLoad)
    case cancelled(PendingLoad)
    case joined(WorkerID, feeds: Set<String>?, capacity: Int)
    case said(WorkerID, WorkerMessage)
    case misspoke(WorkerID, WorkerMessageFault)
    case lost(WorkerID)
    case stop
}
