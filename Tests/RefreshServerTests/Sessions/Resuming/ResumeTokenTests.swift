import Testing

@testable import RefreshServer

@Suite("Resume tokens and those who wait")
struct ResumeTokenTests {
    @Test(
        "is 22 digits of base64url, all 128 bits of them",
        arguments: [
            (ResumeToken(0, 0), "AAAAAAAAAAAAAAAAAAAAAA"),
            (ResumeToken(.max, .max), "_____________________w"),
            (ResumeToken(0, 1), "AAAAAAAAAAAAAAAAAAAAAQ"),
            (ResumeToken(0x0102_0304_0506_0708, 0x090A_0B0C_0D0E_0F10), "AQIDBAUGBwgJCgsMDQ4PEA"),
        ])
    func text(_ token: ResumeToken, _ text: String) {
        #expect(token.text == text && token.matches(text) && ResumeToken(text) == token)
    }

    @Test(
        "no other text is taken for it",
        arguments: [
            "", "A", "AQIDBAUGBwgJCgsMDQ4PEB", "AQIDBAUGBwgJCgsMDQ4PE", "AQIDBAUGBwgJCgsMDQ4PEA=",
            "aQIDBAUGBwgJCgsMDQ4PEA", "AQIDBAUGBwgJCgsMDQ4PE+", "ÄQIDBAUGBwgJCgsMDQ4PE",
        ])
    func others(_ text: String) {
        #expect(!ResumeToken(0x0102_0304_0506_0708, 0x090A_0B0C_0D0E_0F10).matches(text))
        #expect(ResumeToken(text)?.text ?? text == text)
    }

    private func key(_ slot: Int) -> SessionKey {
        SessionKey(loop: 0, slot: UInt32(slot), generation: 1)
    }

    @Test("of those who wait the one goes that came first and is there still")
    func line() {
        var line = WaitingLine()
        for slot in 0..<3 { #expect(line.enter(key(slot), most: 3) == nil) }
        line.leave(key(0))
        #expect(line.enter(key(3), most: 3) == nil)
        #expect(line.enter(key(4), most: 3) == key(1))
        // Who comes again stands at the end.
        #expect(line.enter(key(2), most: 3) == nil)
        #expect(line.enter(key(5), most: 3) == key(3))
        #expect(line.count == 3)
        #expect(line.enter(key(6), most: 0) == key(4))
    }

    @Test("a line through which many have gone takes no more room than those who wait")
    func room() {
        var line = WaitingLine()
        for slot in 0..<10_000 {
            #expect(line.enter(key(slot), most: 100) == nil)
            if slot >= 50 { line.leave(key(slot - 50)) }
        }
        #expect(line.count == 50 && line.room <= 200)
    }
}
