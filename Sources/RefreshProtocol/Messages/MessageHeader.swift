/// The members of every message about a view.
package struct MessageHeader: Hashable, Sendable {
    package var view: ViewID
    package var seq: UInt64
    package var generation: UInt32?

    package init(view: ViewID, seq: UInt64, generation: UInt32? = nil) {
        self.view = view
        self.seq = seq
        self.generation = generation
    }
}
