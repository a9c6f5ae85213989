import RefreshProtocol
import Testing
import Workbench

@testable import RefreshClient

/// Which views are visible while the app goes to the background and comes back.
struct VisibilityTests {
    private static func makeRun(connects: Bool = true) -> ClientRun {
        let views = ["list", "other"].map { name in
            var body = ClientMachineTests.list.body
            body["view"] = .string(name)
            return ViewDescription(body: body)
        }
        var run = ClientRun(
            ClientConfiguration(client: "test", views: views, features: ["query"]),
            daemon: TestDaemon(), random: SeededGenerator(seed: 1))
        if connects { run.connect() }
        run.recordsFrames = true
        return run
    }

    private func setVisible(_ run: inout ClientRun, _ name: String, _ isVisible: Bool) {
        run.change { machine, now in machine.setVisible(isVisible, view: name, at: now) }
    }

    private func covered(_ run: ClientRun) -> [String] {
        run.machine.views.filter(\.isCovered).map(\.name)
    }

    private func appearances(_ run: ClientRun) -> Int {
        run.sentTypes.flatMap { $0 }.count { $0 == "appear" }
    }

    @Test("A view that the app has covered stays covered when the app comes back")
    func coveredView() {
        var run = Self.makeRun()
        setVisible(&run, "list", false)
        run.change { machine, now in machine.suspend(at: now) }
        #expect(covered(run) == ["list", "other"])
        run.change { machine, now in machine.resume(at: now) }
        #expect(run.status == .open)
        #expect(covered(run) == ["list"])
        #expect(appearances(run) == 1)
        setVisible(&run, "list", true)
        #expect(covered(run).isEmpty)
        #expect(appearances(run) == 2)
    }

    @Test("In the background, connect() waits until the app is in the foreground again")
    func connectedInBackground() {
        var run = Self.makeRun(connects: false)
        run.change { machine, now in machine.suspend(at: now) }
        run.connect()
        #expect(run.status == .suspended)
        run.change { machine, now in machine.resume(at: now) }
        #expect(run.status == .open)
        #expect(covered(run).isEmpty)
    }

    @Test("What the app changes in the background has its effect when the app comes back")
    func changedInBackground() {
        var run = Self.makeRun()
        setVisible(&run, "list", false)
        run.change { machine, now in machine.suspend(at: now) }
        setVisible(&run, "list", true)
        setVisible(&run, "other", false)
        #expect(covered(run) == ["list", "other"])
        run.change { machine, now in machine.resume(at: now) }
        #expect(covered(run) == ["other"])
        run.change { machine, now in machine.suspend(at: now) }
        run.change { machine, now in machine.resume(at: now) }
        #expect(covered(run) == ["other"])
    }
}
