/// The identity of a request that will be answered later. It is unique within its loop.
package struct HTTPTicket: Hashable, Sendable {
    let number: UInt64

    /// Creates a ticket for tests and fakes; the transport creates its own.
    package init(number: UInt64) { self.number = number }
}
