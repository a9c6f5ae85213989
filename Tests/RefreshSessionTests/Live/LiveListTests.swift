import RefreshBroker
import RefreshProtocol
import SessionBench
import Testing

@testable import RefreshSession

/// A client with live items, its backend, and the reporters of changes, in random order. Source:
/// docs/protocol.md, "Live items".
@Suite("A list with live items, whatever happens")
struct LiveListTests {
    /// Seeds that found defects. Without a verification, about one round in a thousand of other
    /// seeds ends with another list, so none is drawn here.
    private static let seeds: [UInt64] = [
        2_076_951_399_882_873_886, 12_744_054_901_031_518_019, 5_533_351_582_511_502_447,
        2_765_997_198_563_479_563, 16_223_767_617_203_216_967, 1_309_127_711_890_384_994,
        15_440_361_436_257_713_969, 8_814_673_754_927_790_271,
    ]

    /// Seeds with rounds that need a verification, and one that is drawn.
    private static let verifiedSeeds: [UInt64] = [
        16_361_070_054_113_226_578, 3_211_590_858_451_297_679, 13_381_462_534_246_804_486,
        13_929_370_001_612_122_540, 12_757_767_542_441_605_503, 12_882_689_259_933_526_087,
        7_058_276_073_365_748_193,
        .random(in: 0...UInt64.max),
    ]

    @Test(
        "At rest, the client shows the list of the feed, and no item is left out or shown twice",
        arguments: seeds)
    func random(seed: UInt64) throws { try run(seed: seed, isVerified: false) }

    @Test(
        "After its verifications, the client shows the list of the feed", arguments: verifiedSeeds)
    func verified(seed: UInt64) throws { try run(seed: seed, isVerified: true) }

    private func run(seed: UInt64, isVerified: Bool) throws {
        print("seed of the lists with live items: \(seed)")
        var exact = 0
        for round in 0..<Self.rounds {
            var world = LiveWorld(seed: seed &+ UInt64(round), isVerified: isVerified)
            for _ in 0..<30 { try world.act() }
            try world.rest()
            let note = "seed \(seed), round \(round), \(world.description)"
            if world.newer == true {
                try world.refresh()
            } else {
                exact += 1
            }
            #expect(world.newer != true, "\(note)")
            #expect(world.shown == world.expected(world.shown.count), "\(note)")
            try world.loadAll()
            #expect(
                world.newer == true || world.isWhole,
                "\(note): \(world.shown), not \(world.expected(.max))")
        }
        #expect(exact > Self.rounds / 2, "seed \(seed)")
    }

    private static let rounds = 120
}

/// A session with one view, and everything around it.
private struct LiveWorld {
    private let tester: SessionTester
    private let style: PagingStyle
    private let arrivals: String
    /// Whether the backend reads the items of a page when it answers, and not when it is asked.
    private let readsLate: Bool
    /// Whether the rest lasts until no verification follows.
    private let isVerified: Bool
    private var random: SplitMix
    private var model = LiveModel(count: 20)
    private(set) var list: [JSONValue] = []
    private(set) var newer: Bool?
    private var seq = 1
    private var seen = 0
    private var requestCount = 0
    private var requests: [(ticket: LoadTicket, request: LoadRequest, page: Page)] = []
    private var editCount = 0
    private var isFingerDown = false

    var description: String { "\(style), \(arrivals), \(readsLate ? "late" : "early")" }

    init(seed: UInt64, isVerified: Bool) {
        self.isVerified = isVerified
        random = SplitMix(state: seed)
        style = [.page, .offset, .cursor].randomElement(using: &random) ?? .page
        arrivals = ["pill", "insert", "stick"].randomElement(using: &random) ?? "pill"
        readsLate = Bool.random(using: &random)
        let changes = Int.random(in: 0..<4, using: &random) > 0 ? "cue" : "silent"
        tester = SessionTester(
            limits: SessionTester.patient,
            feeds: [
                FeedDescription(
                    name: "songs", style: style, size: 5, itemKey: JSONPointer("/id"),
                    edits: Set(ItemOperation.Kind.allCases))
            ])
        tester.services.itemHash = SipHash(key: 1, 2)
        tester.open(
            feed: "songs", features: #"["patch","live","edits","unread"]"#,
            extra: #","top":{"arrivals":"\#(arrivals)","changes":"\#(changes)"}"#)
        seen = tester.channel.frames.count
    }

    // MARK: Steps

    mutating func act() throws {
        switch Int.random(in: 0..<16, using: &random) {
        case 0..<5: try report(Int.random(in: 1...3, using: &random))
        case 5..<8: try answer()
        case 8, 9: try send("loadMore")
        case 10: try send("refresh")
        case 11: try isFingerDown ? lift() : touch()
        case 12: tester.channel.isWritable.toggle()
        case 13: try edit()
        case 14: try send("reveal")
        default: try pass(500)
        }
        try read()
    }

    private mutating func report(_ count: Int) throws {
        let kinds = ItemOperation.Kind.allCases.filter { !readsLate || $0 != .move }
        let operations = (0..<count).map { _ in model.change(kinds, &random) }
        try change(operations)
    }

    private mutating func change(_ operations: [ItemOperation]) throws {
        tester.session.handle(
            .changed(feed: "songs", count: .unknown, items: [ItemChange(operations)]),
            at: tester.now)
        try read()
    }

    /// The author inserts an item. The backend confirms this, and reports it.
    private mutating func edit() throws {
        editCount += 1
        let id = 1000 + editCount
        try send(
            "edit", #","edit":"edit-\#(id)","operation":\#(EditingClient.insert(id))"#)
        guard let edit = tester.dispatcher.edits.last else { return }
        model.insertAtStart(id)
        tester.session.handle(.edited(edit.ticket, edit.request, .confirmed), at: tester.now)
        try change(edit.request.operations(replacedBy: nil))
    }

    private mutating func answer() throws {
        guard !requests.isEmpty else { return }
        let (ticket, request, page) = requests.removeFirst()
        let answer = readsLate ? try model.page(request, style: style) : page
        tester.session.handle(.load(ticket, .ended(.page(answer))), at: tester.now)
        try read()
    }

    private mutating func touch() throws {
        isFingerDown = true
        try send("scroll", #","offset":0,"phase":"began","t":0"#)
    }

    private mutating func lift() throws {
        isFingerDown = false
        try send("scroll", #","offset":0,"phase":"ended","t":0"#)
        try send("scroll", #","offset":0,"phase":"idle","t":0"#)
    }

    private mutating func pass(_ milliseconds: Double) throws {
        tester.now = tester.now.advanced(byMilliseconds: milliseconds)
        tester.session.handle(.wake, at: tester.now)
        try read()
    }

    private mutating func send(_ type: String, _ extra: String = "") throws {
        seq += 1
        tester.feed(#"{"type":"\#(type)","view":"list","seq":\#(seq)\#(extra)}"#)
        try read()
    }

    /// Applies the messages that have arrived, and notes the requests.
    private mutating func read() throws {
        let messages = tester.messages(from: seen)
        seen = tester.channel.frames.count
        for message in messages {
            if message["type"]?.string == "items" {
                list = try #require(
                    PatchedList.applying(message, to: list), "\(description): \(message)")
            }
            newer = message["newer"]?.bool ?? newer
        }
        for (ticket, request) in tester.dispatcher.started[requestCount...] {
            requests.removeAll { $0.ticket == ticket }
            requests.append((ticket, request, try model.page(request, style: style)))
        }
        requestCount = tester.dispatcher.started.count
        requests.removeAll { tester.dispatcher.cancelled.contains($0.ticket) }
    }

    // MARK: The end

    /// Lets the list rest: the client reads, nothing is loaded, and all arrivals are shown.
    mutating func rest() throws {
        tester.channel.isWritable = true
        tester.session.handle(.writable, at: tester.now)
        try read()
        if isFingerDown { try lift() }
        try answerAll()
        if newer != true || list.isEmpty { return }
        try send("reveal")
        try answerAll()
    }

    mutating func refresh() throws {
        try send("refresh")
        try answerAll()
    }

    private mutating func answerAll() throws {
        for _ in 0..<20 {
            // A list is verified at most 20 s after the last verification.
            for _ in 0..<(isVerified ? 11 : 1) where requests.isEmpty { try pass(2000) }
            guard !requests.isEmpty else { return }
            while !requests.isEmpty { try answer() }
        }
        Issue.record("the loads do not end: \(description)")
    }

    mutating func loadAll() throws {
        for _ in 0..<40 {
            try send("loadMore")
            try pass(2000)
            guard !requests.isEmpty else { return }
            try answerAll()
        }
        Issue.record("the list does not end: \(description)")
    }

    /// The items that the client shows.
    var shown: [Int] { list.compactMap { $0["id"]?.number.map { Int($0) } } }

    /// The first items of the feed.
    func expected(_ count: Int) -> [Int] { Array(model.ids.prefix(count)) }

    /// Whether the client shows all items of the feed as they are.
    var isWhole: Bool {
        list == model.texts.compactMap { try? JSONValue(parsing: $0) }
    }
}
