import Testing
import Workbench

@testable import ScenarioKit

@Suite("The control law with traces of the original libraries", .ownThread)
struct LawTraceTests {
    @Test("A stream client and a local client show the same on every recorded trace")
    func traces() throws {
        var differences: [String] = []
        var (played, skipped, events) = (0, 0, 0)
        for trace in try LawTrace.all() {
            for profile in trace.profiles {
                var player = LawTracePlayer(trace, profile)
                player.play()
                played += 1
                skipped += player.skipped
                events += trace.events.count
                if let difference = player.difference {
                    differences.append("\(trace.name) \(profile): \(difference)")
                }
            }
        }
        print("law: \(played) traces, \(events) events, \(skipped) skipped")
        for difference in differences.prefix(20) { print(difference) }
        #expect(differences.isEmpty)
        #expect(played >= 83)
        #expect(skipped * 100 < events)
    }
}
