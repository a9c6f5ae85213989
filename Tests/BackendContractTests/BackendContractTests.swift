import RefreshBroker
import RefreshProtocol
import Testing
import Workbench

/// A kind of backend and one of its behaviours, as the argument of a test.
struct ContractCase: Sendable, CustomTestStringConvertible {
    let subject: ContractSubject
    let behaviour: Behaviour

    init(_ subject: ContractSubject, _ behaviour: Behaviour) {
        self.subject = subject
        self.behaviour = behaviour
    }

    var testDescription: String { "\(subject.kind), \(behaviour)" }

    func rig() async throws -> Rig {
        try #require(try await subject.rig(behaviour), "\(testDescription) is not covered")
    }
}

/// Tests of the contract of docs/backends.md with every kind of backend.
///
/// Each test requests from each `ContractSubject` a rig (a backend with its source) that has a
/// certain behaviour. A kind of backend that does not support the behaviour is left out.
/// `CoverageTests` lists these kinds.
@Suite("The contract of a backend", .limit)
struct BackendContractTests {
    /// Returns one case for each of the behaviours and each kind of backend that supports it.
    static func cases(_ behaviours: [Behaviour]) -> [ContractCase] {
        ContractSubject.all.flatMap { subject in
            behaviours.filter(subject.covered.contains).map { ContractCase(subject, $0) }
        }
    }

    @Test(
        "Consecutive pages have all items byte for byte, without gap or overlap",
        arguments: cases([.list]))
    func pages(_ subject: ContractCase) async throws {
        let rig = try await subject.rig()
        var request = rig.refresh
        var items: [JSONValue] = []
        var counts: [Int] = []
        while counts.count < 1000 {
            let page = try await rig.backend.load(BackendCall(request))
            #expect(page.count <= 20)
            if !rig.items.isEmpty {
                let expected = rig.items.dropFirst(items.count).prefix(20).joined(separator: ",")
                #expect(String(decoding: page.items, as: UTF8.self) == "[\(expected)]")
            }
            let value = try JSONValue(parsing: String(decoding: page.items, as: UTF8.self))
            let elements = try #require(value.array)
            #expect(elements.count == page.count)
            items += elements
            counts.append(page.count)
            if rig.paging == .cursor { #expect((page.cursor != nil) == (page.more == true)) }
            if rig.reportsTotal, !rig.items.isEmpty { #expect(page.total == rig.items.count) }
            guard page.more ?? (page.count == 20) else { break }
            request = rig.next(after: request, page)
        }
        #expect(counts.dropLast().allSatisfy { $0 == 20 } && counts.count > 1, "\(counts)")
        if !rig.items.isEmpty { #expect(items.count == rig.items.count) }
        #expect(Set(items.map { String(describing: $0) }).count == items.count)
    }

    @Test("A page that is requested again is the same", arguments: cases([.list]))
    func again(_ subject: ContractCase) async throws {
        let rig = try await subject.rig()
        let first = try await rig.backend.load(BackendCall(rig.refresh))
        let second = rig.next(after: rig.refresh, first)
        let answers = [
            try await rig.backend.load(BackendCall(second)),
            try await rig.backend.load(BackendCall(second)),
        ]
        #expect(answers[0].items == answers[1].items && answers[0].items != first.items)
    }

    @Test("An empty list yields an empty page, and no page follows", arguments: cases([.empty]))
    func empty(_ subject: ContractCase) async throws {
        let rig = try await subject.rig()
        let page = try await rig.backend.load(BackendCall(rig.refresh))
        #expect(page.items == Array("[]".utf8))
        #expect(page.count == 0 && page.more != true && page.cursor == nil)
    }

    @Test(
        "Items are returned byte for byte, including duplicates",
        arguments: cases([.verbatim, .duplicates]))
    func bytes(_ subject: ContractCase) async throws {
        let rig = try await subject.rig()
        let page = try await rig.backend.load(BackendCall(rig.refresh))
        #expect(String(decoding: page.items, as: UTF8.self) == rig.answer)
        #expect(page.count == (subject.behaviour == .verbatim ? 4 : 2))
        if subject.behaviour == .verbatim { #expect(page.more == false) }
    }

    @Test("The cache lifetime of an answer becomes that of the page", arguments: cases([.lifetime]))
    func lifetime(_ subject: ContractCase) async throws {
        let rig = try await subject.rig()
        let page = try await rig.backend.load(BackendCall(rig.refresh))
        let lifetimeMs = try #require(rig.lifetimeMs)
        #expect(page.lifetimeMs == lifetimeMs)
    }

    @Test("An answer that arrives in pieces is read completely", arguments: cases([.dripping]))
    func dripping(_ subject: ContractCase) async throws {
        let rig = try await subject.rig()
        let page = try await rig.backend.load(BackendCall(rig.refresh))
        #expect(String(decoding: page.items, as: UTF8.self) == rig.answer)
    }

    @Test("Progress is reported in order before the answer", arguments: cases([.progress]))
    func progress(_ subject: ContractCase) async throws {
        let rig = try await subject.rig()
        let reports = LockedList<Double>()
        let call = BackendCall(rig.refresh) { reports.append($0) }
        let page = try await rig.backend.load(call)
        #expect(page.count == 1)
        #expect(reports.all == [0.25, 0.5])
    }

    @Test(
        "All parts of a request reach the backend with their types and unchanged",
        arguments: cases([.echo]))
    func echo(_ subject: ContractCase) async throws {
        let rig = try await subject.rig()
        let call = EchoedRequest.call(cursor: rig.cursor)
        let page = try await rig.backend.load(call)
        let text = String(decoding: page.items, as: UTF8.self)
        let item = try #require(try JSONValue(parsing: text).array?.first)
        let echoed = EchoedRequest.flattened(item)
        let expected = EchoedRequest.texts(of: call)
            .merging(rig.echoedOtherwise) { _, otherwise in otherwise }
            .filter { rig.echoed.contains($0.key) }
        #expect(Set(expected.keys) == rig.echoed)
        #expect(echoed.filter { rig.echoed.contains($0.key) } == expected)
    }
}
