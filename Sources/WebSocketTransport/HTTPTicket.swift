/// Names a request whose answer comes later. Of one loop, and never used twice there.
package struct HTTPTicket: Hashable, Sendable {
    let number: UInt64

    /// A ticket as given; for tests and fakes, the transport makes its own.
    package init(number: UInt64) { self.number = number }
}
