import Testing
import WebSocketTransport
import Workbench

@testable import RefreshServer
@testable import RefreshSession

@Suite("Fair semaphore", .limit)
struct FairSemaphoreTests {
    @Test("Permits (turns) are given in the order of the requests, and each is released once")
    func order() async {
        let turns = FairSemaphore(most: 1)
        #expect(await turns.acquire(withinMs: 0))
        let order = await withTaskGroup(of: Void.self) { group in
            let (stream, order) = AsyncStream.makeStream(of: Int.self)
            for index in 0..<5 {
                group.addTask {
                    if await turns.acquire(withinMs: 30_000) {
                        order.yield(index)
                        turns.release()
                    }
                }
                while turns.waitingCount <= index { await Task.yield() }
            }
            turns.release()
            await group.waitForAll()
            order.finish()
            return await stream.reduce(into: []) { $0.append($1) }
        }
        #expect(order == [0, 1, 2, 3, 4])
        #expect(turns.waitingCount == 0)
        #expect(await turns.acquire(withinMs: 0))
    }

    @Test("Turns alternate between addresses: each address gets one before any gets a second one")
    func rotation() async throws {
        let flooder = try #require(PeerNetwork("192.0.2.1"))
        let other = try #require(PeerNetwork("192.0.2.2"))
        let turns = FairSemaphore(most: 1)
        #expect(await turns.acquire(withinMs: 0))
        let order = await withTaskGroup(of: Void.self) { group in
            let (stream, order) = AsyncStream.makeStream(of: Int.self)
            for index in 0..<6 {
                // The last two requests come from other addresses.
                let network = index < 4 ? flooder : index == 4 ? other : nil
                group.addTask {
                    if await turns.acquire(withinMs: 30_000, for: network) {
                        order.yield(index)
                        turns.release()
                    }
                }
                while turns.waitingCount <= index { await Task.yield() }
            }
            turns.release()
            await group.waitForAll()
            order.finish()
            return await stream.reduce(into: []) { $0.append($1) }
        }
        #expect(order == [0, 4, 5, 1, 2, 3])
        #expect(turns.waitingCount == 0)
    }

    @Test("A request whose wait ends gives up its place in the queue")
    func patience() async {
        let turns = FairSemaphore(most: 1)
        #expect(await turns.acquire(withinMs: 0))
        #expect(await turns.acquire(withinMs: 0) == false)
        #expect(await turns.acquire(withinMs: 5) == false)
        #expect(turns.waitingCount == 0)
        turns.release()
        #expect(await turns.acquire(withinMs: 0))
        #expect(await turns.acquire(withinMs: 1) == false)
    }

    @Test("If many requests wait and time out concurrently, no turn is lost or given twice")
    func races() async {
        let turns = FairSemaphore(most: 3)
        let entered = await withTaskGroup(of: Int.self) { group in
            for index in 0..<400 {
                group.addTask {
                    guard await turns.acquire(withinMs: index % 4) else { return 0 }
                    await Task.yield()
                    turns.release()
                    return 1
                }
            }
            return await group.reduce(0, +)
        }
        #expect(entered >= 3)
        #expect(turns.waitingCount == 0)
        for _ in 0..<3 { #expect(await turns.acquire(withinMs: 0)) }
        #expect(await turns.acquire(withinMs: 0) == false)
    }
}
