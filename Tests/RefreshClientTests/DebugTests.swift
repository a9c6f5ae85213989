import RefreshEngine
import RefreshProtocol
import Testing
@testable import RefreshClient
struct DebugTests {
    @Test func debug() {
        for gesture in Gesture.all {
            let configuration = ClientConfiguration(
                client: "test", views: [ViewDescription(body: gesture.body)], refreshedViews: ["list"])
            var run = ClientRun(configuration, daemon: TestDaemon(), random: SystemRandomNumberGenerator())
            func check(_ what: String) -> Bool {
                let v = run.machine.views[0]
                let e = v.replica!.engine
                let a = [e.edge(.refresh)!.state!, e.edge(.loadMore)!.state!]
                let b = [v.remote.edges[.top]?.state, v.remote.edges[.bottom]?.state]
                let x: [Double] = [e.insets.sentStart, e.insets.sentEnd, e.physicalOffset]
                let y: [Double] = [v.remote.insets[.top]?.target ?? -1, v.remote.insets[.bottom]?.target ?? -1, v.remote.offset.isMoving(at: run.now) ? e.physicalOffset : v.remote.offset.target]
                if a != b || zip(x, y).contains(where: { abs($0 - $1) > 1 }) { print("DIVERGES", gesture.name, run.now, what, a, b, x, y); return false }
                return true
            }
            print("start", run.picture.edges)
            run.connect()
            print("jump", run.largestJump, run.picture.edges)
            _ = check("connect")
            run.advance(to: 1010)
            run.answerLoad()
            _ = check("answered")
            run.advance(to: 3000)
            if !check("begun") { continue }
            for m in gesture.messages {
                run.advance(to: 3000 + m.time)
                if !check("time") { break }
                run.send(m.message)
                if !check(m.message.text) { break }
            }
        }
    }
}
