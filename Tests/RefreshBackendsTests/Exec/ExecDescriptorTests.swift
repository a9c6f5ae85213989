import Foundation
import RefreshBroker
import Testing
import Workbench

@testable import RefreshBackends

/// An `exec` backend must leave no open descriptors in the daemon.
@Suite("exec: descriptors", .limit)
struct ExecDescriptorTests {
    /// Returns the open descriptors of this process that refer to the process `process`. Other
    /// tests open and close files at the same time, so only these descriptors are counted.
    private func descriptors(of process: Int32) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fdinfo").filter {
            let text = try? String(contentsOfFile: "/proc/self/fdinfo/\($0)", encoding: .utf8)
            return text?.contains("Pid:\t\(process)\n") == true
        }
    }

    /// Returns the kernel's names of the pipes of this process.
    private func pipes() throws -> Set<String> {
        Set(
            try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap {
                try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
            }.filter { $0.hasPrefix("pipe:") })
    }

    @Test("After stop, neither pipes nor process descriptors are open")
    func leftBehind() async throws {
        let rig = try ExecRig(
            """
            l = load()
            page(l, *[os.readlink("/proc/self/fd/%d" % n) for n in range(3)])
            load()
            """)
        let page = try await rig.load()
        let names = try #require(
            try JSONSerialization.jsonObject(with: Data(page.items)) as? [String])
        #expect(names.count == 3)
        #expect(try pipes().isSuperset(of: names))
        let process = try #require(rig.started.first)
        #expect(try descriptors(of: process).count == 1)
        rig.backend.stop()
        #expect(try pipes().isDisjoint(with: names))
        #expect(try descriptors(of: process).isEmpty)
    }
}
