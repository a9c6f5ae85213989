/// Identifies a session across threads: its loop, its slot there, and the slot's generation.
/// Because of the generation, a key that outlives its session identifies no other session.
package struct SessionKey: Hashable, Sendable {
    package var loop: UInt16
    package var slot: UInt32
    package var generation: UInt32

    package init(loop: UInt16, slot: UInt32, generation: UInt32) {
        self.loop = loop
        self.slot = slot
        self.generation = generation
    }

    /// A hash of the key that is the same on every machine.
    package var mixed: UInt64 {
        ((UInt64(slot) << 32 | UInt64(generation)).mixed &+ UInt64(loop)).mixed
    }
}
