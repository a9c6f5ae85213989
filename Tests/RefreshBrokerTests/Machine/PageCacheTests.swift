import RefreshProtocol
import Testing
import Workbench

@testable import RefreshBroker

@Suite("The size limit of the cache")
struct PageCacheTests {
    private var policy: FeedPolicy {
        var policy = FeedPolicy()
        policy.cache = .init(lifetimeMs: 1000, failureMs: 1000)
        return policy
    }

    private func key(_ page: Int) -> RequestKey { RequestKey(.page(page)) }

    private func page(bytes: Int) -> Page {
        Page(items: Array(repeating: UInt8(ascii: " "), count: bytes), count: 0)
    }

    private func keep(_ number: Int, bytes: Int, in cache: inout PageCache) {
        cache.store(
            page(bytes: bytes), for: key(number), feed: 0, policy, call: CallID(1), at: .origin)
    }

    private func has(_ number: Int, _ cache: inout PageCache) -> Bool {
        cache.cachedAnswer(for: key(number), accepting: .any, at: .origin) != nil
    }

    private func kept(of numbers: ClosedRange<Int>, _ cache: PageCache) -> [Int] {
        var cache = cache
        return numbers.filter { has($0, &cache) }
    }

    @Test("If the cache is full, the least recently used entry is evicted")
    func leastRecentlyUsed() {
        var cache = PageCache(bytesMax: 3 * 2000)
        for number in 1...3 { keep(number, bytes: 1400, in: &cache) }
        #expect(cache.count == 3)
        let isThere = has(1, &cache)
        #expect(isThere)
        keep(4, bytes: 1400, in: &cache)
        #expect(kept(of: 1...4, cache) == [1, 3, 4])
        #expect(cache.bytes == 3 * (1400 + 512 + 4))
    }

    @Test("An answer that is larger than the whole cache is not stored and evicts nothing")
    func tooLarge() {
        var cache = PageCache(bytesMax: 3000)
        keep(1, bytes: 1000, in: &cache)
        keep(2, bytes: 3000, in: &cache)
        #expect(kept(of: 1...2, cache) == [1])
        var none = PageCache(bytesMax: 0)
        keep(1, bytes: 1, in: &none)
        #expect(none.count == 0 && none.bytes == 0)
    }

    @Test("A new answer replaces the old entry, or removes it if it must not be cached")
    func superseding() {
        var cache = PageCache(bytesMax: 10_000)
        keep(1, bytes: 5000, in: &cache)
        keep(1, bytes: 100, in: &cache)
        #expect(cache.count == 1)
        #expect(cache.bytes == 100 + 516)
        var last = page(bytes: 10)
        last.lifetimeMs = 0
        cache.store(last, for: key(1), feed: 0, policy, call: CallID(1), at: .origin)
        #expect(cache.count == 0 && cache.bytes == 0)
    }

    @Test("An expired entry is removed on access, and its bytes are freed")
    func over() {
        var cache = PageCache(bytesMax: 10_000)
        keep(1, bytes: 1000, in: &cache)
        cache.store(
            LoadFailure(.backendFailed, "no"), for: key(2), feed: 0, policy,
            call: CallID(1), at: .origin)
        #expect(cache.bytes == 1516 + 518)
        let hits = [1, 2].map { cache.cachedAnswer(for: key($0), accepting: .any, at: .ms(1000)) }
        #expect(hits == [nil, nil])
        #expect(cache.bytes == 0)
    }

    @Test("Under random use, the cache evicts like a list in order of use")
    func random() {
        for seed in 0..<200 {
            var generator = SeededGenerator(seed: UInt64(seed))
            var cache = PageCache(bytesMax: 8 * 600)
            // The entries in order of use. The most recently used entry is last.
            var model: [Int] = []
            for _ in 0..<200 {
                let number = Int.random(in: 0..<20, using: &generator)
                let isUse = Bool.random(using: &generator)
                if isUse {
                    let isThere = has(number, &cache)
                    #expect(isThere == model.contains(number), "seed \(seed)")
                    guard isThere else { continue }
                } else {
                    keep(number, bytes: 84, in: &cache)
                }
                model.removeAll { $0 == number }
                model.append(number)
                if model.count > 8 { model.removeFirst() }
            }
            #expect(cache.bytes == model.count * 600, "seed \(seed)")
        }
    }
}
