import RefreshEngine
import Testing

@testable import RefreshServer

@Suite("A view's memory")
struct ViewSlotTests {
    @Test("is at most one KiB, with everything that it owns in place")
    func size() {
        print("view slot: \(MemoryLayout<ViewSlot>.size) bytes, engine \(MemoryLayout<Engine>.size)")
        #expect(MemoryLayout<ViewSlot>.size <= 1024)
    }
}
