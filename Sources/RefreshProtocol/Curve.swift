/// How a timeline travels from its beginning to its end.
package enum Curve: String, CaseIterable, Sendable, Codable {
    case linear
    case easeIn
    case easeOut
    case easeInOut
}
