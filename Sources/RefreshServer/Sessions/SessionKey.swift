/// Names a session across threads: its loop, its slot there, and the slot's generation, so that a
/// key that outlives its session names nobody.
package struct SessionKey: Hashable, Sendable {
    package var loop: UInt16
    package var slot: UInt32
    package var generation: UInt32

    package init(loop: UInt16, slot: UInt32, generation: UInt32) {
        self.loop = loop
        self.slot = slot
        self.generation = generation
    }
}
