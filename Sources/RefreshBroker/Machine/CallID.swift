/// The identity of one backend call. It is never reused, so an answer that arrives late, twice or
/// for an abandoned call is recognized by comparison.
package struct CallID: Hashable, Sendable {
    package let number: UInt64

    package init(_ number: UInt64) { self.number = number }
}
