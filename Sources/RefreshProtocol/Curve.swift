/// How a timeline travels from its beginning to its end.
package enum Curve: String, CaseIterable, Sendable, Codable {
    case linear
    case easeIn
    case easeOut
    case easeInOut
    /// The critically damped spring of a released over-scroll; on the wire an array of samples.
    case spring
}
