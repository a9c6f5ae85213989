/// The easing of a timeline from its start to its end.
package enum Curve: String, CaseIterable, Sendable, Codable {
    case linear
    case easeIn
    case easeOut
    case easeInOut
}
