import RefreshProtocol
import Testing

@testable import RefreshServer
@testable import RefreshSession

@Suite("Resume tokens and detached sessions")
struct ResumeTokenTests {
    @Test(
        "A token has 22 digits of base64url, which encode 128 bits",
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
        "A text of any other form is not a token",
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

    @Test("Of the detached sessions, the one that was detached first is evicted")
    func line() {
        var line = DetachedSessionEviction()
        for slot in 0..<3 { #expect(line.insert(key(slot), most: 3).isEmpty) }
        line.remove(key(0))
        #expect(line.insert(key(3), most: 3).isEmpty)
        #expect(line.insert(key(4), most: 3) == [key(1)])
        // A session that is detached again moves to the end of the queue.
        #expect(line.insert(key(2), most: 3).isEmpty)
        #expect(line.insert(key(5), most: 3) == [key(3)])
        #expect(line.count == 3)
        #expect(line.insert(key(6), most: 0) == [key(4), key(2), key(5), key(6)])
        #expect(line.count == 0 && line.bytes == 0)
    }

    @Test("The queue's memory depends on the sessions in the queue, not on removed sessions")
    func room() {
        var line = DetachedSessionEviction()
        for slot in 0..<10_000 {
            #expect(line.insert(key(slot), most: 100).isEmpty)
            if slot >= 50 { line.remove(key(slot - 50)) }
        }
        #expect(line.count == 50 && line.entryCount <= 200)
    }

    @Test("If the total bytes exceed the limit, the oldest sessions are evicted")
    func bytes() {
        var line = DetachedSessionEviction()
        for slot in 0..<3 {
            #expect(line.insert(key(slot), holding: 100, most: 9, bytesMax: 300).isEmpty)
        }
        #expect(line.bytes == 300)
        #expect(line.insert(key(3), holding: 1, most: 9, bytesMax: 300) == [key(0)])
        #expect(line.updateBytes(of: key(3), holding: 100, bytesMax: 300).isEmpty)
        #expect(line.updateBytes(of: key(2), holding: 101, bytesMax: 300) == [key(1)])
        line.remove(key(3))
        #expect(line.bytes == 101 && line.count == 1)
        // A session whose own bytes exceed the limit is evicted too.
        #expect(line.updateBytes(of: key(2), holding: 301, bytesMax: 300) == [key(2)])
        #expect(line.updateBytes(of: key(2), holding: 1, bytesMax: 300).isEmpty)
        #expect(line.bytes == 0 && line.count == 0)
    }
}
