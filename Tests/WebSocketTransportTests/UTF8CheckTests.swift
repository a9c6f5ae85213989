import Testing

@testable import WebSocketTransport

@Suite struct UTF8CheckTests {
    /// Whether the check accepts the bytes in pieces of `size`.
    private func accepts(_ bytes: [UInt8], pieces size: Int) -> Bool {
        var check = UTF8Check()
        var start = 0
        while start < bytes.count {
            let end = min(bytes.count, start + size)
            let isTaken = unsafe bytes[start..<end].withUnsafeBytes { unsafe check.validate($0) }
            guard isTaken else { return false }
            start = end
        }
        return check.isComplete
    }

    @Test("The check agrees with the standard library on all two-byte and many longer sequences")
    func agrees() {
        let seed = UInt64.random(in: 0 ... .max)
        print("UTF8CheckTests seed \(seed)")
        var state = seed
        func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state >> 33
        }
        let interesting: [UInt8] = [
            0x00, 0x41, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc1, 0xc2, 0xdf, 0xe0,
            0xe1,
            0xec, 0xed, 0xee, 0xef, 0xf0, 0xf1, 0xf3, 0xf4, 0xf5, 0xff,
        ]
        var samples: [[UInt8]] = []
        for first in 0...255 {
            for second in 0...255 { samples.append([UInt8(first), UInt8(second)]) }
        }
        for _ in 0..<20_000 {
            let lead = Int(next() % 12)
            let tail = (0..<Int(next() % 6)).map { _ in
                interesting[Int(next() % UInt64(interesting.count))]
            }
            samples.append([UInt8](repeating: 0x61, count: lead) + tail)
        }
        samples += ["é", "€", "😀", "a😀b€cédef€ghijk"].map { Array($0.utf8) }
        for sample in samples {
            let isValid = String(validating: sample, as: UTF8.self) != nil
            for size in [1, 3, 8, 100] {
                #expect(accepts(sample, pieces: size) == isValid, "\(sample)")
            }
        }
    }
}
