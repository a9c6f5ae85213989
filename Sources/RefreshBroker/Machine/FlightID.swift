/// The identity of one backend call. Never used twice, so that an answer which comes late, twice or
/// to an abandoned call is known by comparing.
package struct FlightID: Hashable, Sendable {
    package let number: UInt64

    package init(_ number: UInt64) { self.number = number }
}
