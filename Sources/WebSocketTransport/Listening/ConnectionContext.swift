/// The object that the handler assigned to a connection when it arrived. It is the same for all
/// requests of that connection.
package struct ConnectionContext: Hashable, Sendable {
    /// The object from the `ArrivalDecision`.
    package let object: (any AnyObject & Sendable)?

    package init(_ object: (any AnyObject & Sendable)? = nil) { self.object = object }

    package static func == (left: Self, right: Self) -> Bool { left.object === right.object }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(object.map { ObjectIdentifier($0) })
    }
}
