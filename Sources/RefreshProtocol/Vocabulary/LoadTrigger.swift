/// The control that requested a load. Source: docs/protocol.md, "load".
package enum LoadTrigger: String, CaseIterable, Sendable, Codable {
    case manual
    case refreshControl
    case reachAtEnd
}
