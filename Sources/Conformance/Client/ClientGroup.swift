/// The topic of a case for clients. The order is that of the report.
package enum ClientGroup: String, CaseIterable, Hashable, Sendable {
    case greeting
    case batches
    case strangers
    case updates
    case commands
    case timelines
    case views
    case floors
    case layers
    case gestures
    case items
    case requests
    case errors
    case closing
    case comeback
    case liveness
}
