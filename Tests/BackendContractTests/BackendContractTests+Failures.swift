import Foundation
import Glibc
import RefreshBroker
import RefreshProtocol
import Testing
import Workbench

extension BackendContractTests {
    @Test(
        "A failure has the code from the backend, and retryAfterMs if the backend specified it",
        arguments: cases(Behaviour.failures))
    func failure(_ subject: ContractCase) async throws {
        guard case .failing(let code, let retryAfterMs) = subject.behaviour else { return }
        let rig = try await subject.rig()
        let failure = try await Self.failure(of: rig, rig.fatal ?? rig.refresh)
        #expect(failure.code == code, "\(failure)")
        #expect(failure.retryAfterMs == retryAfterMs)
        #expect(failure.isTemporary == code.isTemporary)
        #expect(!failure.message.isEmpty && failure.message.count <= 300)
        try await Self.expectSound(rig)
    }

    @Test(
        "A load whose answer is invalid fails with the expected code, and the next call succeeds",
        arguments: cases(Behaviour.faults.filter { $0 != .gigabyte }))
    func fault(_ subject: ContractCase) async throws {
        let rig = try await subject.rig()
        let failure = try await Self.failure(of: rig, rig.fatal ?? rig.refresh)
        #expect(failure.code == (try #require(rig.code)), "\(failure)")
        try await Self.expectSound(rig)
    }

    @Test(
        "A very long answer is aborted without unlimited use of memory",
        arguments: cases([.gigabyte]))
    func gigabyte(_ subject: ContractCase) async throws {
        let kind = subject.subject.kind
        // The test needs its own process, because the peak of memory is measured for the whole
        // process.
        await #expect(processExitsWith: .success) { [kind = kind as String] in
            let subject = try #require(ContractSubject.all.first { $0.kind == kind })
            let rig = try #require(try await subject.rig(.gigabyte))
            let before = try memoryPeakBytes()
            let failure = try await Self.failure(of: rig, rig.fatal ?? rig.refresh)
            #expect(failure.code == .backendAnswerTooLarge, "\(failure)")
            // This is an eighth of the memory that a whole answer would need.
            #expect(try memoryPeakBytes() - before < 1 << 27)
            try await Self.expectSound(rig)
        }
    }

    @Test(
        "If a call is cancelled, it ends at once, and the next call succeeds",
        arguments: cases([.hanging]))
    func cancel(_ subject: ContractCase) async throws {
        let rig = try await subject.rig()
        let backend = rig.backend
        let request = rig.fatal ?? rig.refresh
        let hanging = Task { try await backend.load(BackendCall(request)) }
        try await Task.sleep(for: .milliseconds(50))
        hanging.cancel()
        // Without the cancellation, the call would not end during the test.
        await #expect(throws: LoadFailure.self) { try await hanging.value }
        try await Self.expectSound(rig)
    }

    @Test("A call that was cancelled before its start also ends", arguments: cases([.hanging]))
    func cancelledBefore(_ subject: ContractCase) async throws {
        let rig = try await subject.rig()
        let backend = rig.backend
        let request = rig.fatal ?? rig.refresh
        let hanging = Task {
            while !Task.isCancelled { await Task.yield() }
            _ = try await backend.load(BackendCall(request))
        }
        hanging.cancel()
        await #expect(throws: LoadFailure.self) { try await hanging.value }
        try await Self.expectSound(rig)
    }

    /// Heals the rig and expects that the next call succeeds.
    private static func expectSound(
        _ rig: Rig, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        try await rig.heal()
        let page = try await rig.backend.load(BackendCall(rig.refresh))
        #expect(page.count == 1, sourceLocation: sourceLocation)
    }

    /// Returns the failure of a load. If the load returns a page, the test fails.
    static func failure(
        of rig: Rig, _ request: LoadRequest
    ) async throws -> LoadFailure {
        let answer: Result<Page, LoadFailure>
        do throws(LoadFailure) {
            answer = .success(try await rig.backend.load(BackendCall(request)))
        } catch {
            answer = .failure(error)
        }
        switch answer {
        case .failure(let failure): return failure
        case .success(let page): throw UnexpectedPage(count: page.count)
        }
    }

    /// The error for a load that returned a page although it must fail.
    private struct UnexpectedPage: Error {
        let count: Int
    }
}

/// Returns the peak of the process's resident memory in bytes.
func memoryPeakBytes() throws -> Int {
    let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    let kibibytes = line?.split(separator: " ").compactMap { Int($0) }.first
    return (kibibytes ?? .max / 1024) * 1024
}
