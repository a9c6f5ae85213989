import RefreshBroker
import RefreshProtocol

@testable import ScenarioKit

/// A random view: a profile, some changed options, sizes, an axis and a direction.
struct RandomAttach {
    var members: [JSONValue.Member] = []
    var isHorizontal = false
    /// Whether the content starts at the bottom or at the right, so that offsets shrink from its
    /// start.
    var isMirrored = false
    var isRightToLeft = false
    var pans = false
    var hasFeed = false
    var isPlatform = false
    var viewport = 800.0
    var content = 2000.0
    /// The insets at the start and at the end of the content.
    var start = 0.0
    var end = 0.0
    var length = 64.0
    var refreshEdge = "top"
    var loadMoreEdge = "bottom"

    static let profiles = [
        "default", "uikit", "iqpulltorefresh", "mrefresh", "mrefresh2", "appcoda", "jackrabbit",
    ]

    init(_ random: inout SeededRandom, pans: Bool) {
        self.pans = pans
        let profile = Self.profiles[random.below(Self.profiles.count)]
        let change = random.pick(0, 10, 35)
        isHorizontal = random.chance(25)
        let isReversed = random.chance(30)
        isRightToLeft = isHorizontal && random.chance(50)
        isMirrored = isReversed != isRightToLeft
        names(isReversed)
        hasFeed = random.chance(50)
        members = [
            .init("view", .string("list")), .init("profile", .string(profile)),
            .init("axis", .string(isHorizontal ? "horizontal" : "vertical")),
            .init("reversed", .bool(isReversed)),
        ]
        if hasFeed { members.append(.init("feed", .string("songs"))) }
        if random.chance(change) {
            members.append(.init("attention", .string(random.pick("everything", "movement"))))
        }
        sizes(&random)
        members.append(.init("offset", .number(rest)))
        length = Self.lengths[profile] ?? 60
        if random.chance(95) {
            add(refreshEdge, refresh(&random, change))
        } else {
            members.append(.init(refreshEdge, .null))
        }
        if random.chance(90) {
            add(loadMoreEdge, loadMore(&random, change))
        } else {
            members.append(.init(loadMoreEdge, .null))
        }
        if pans { members.append(.init("pan", pan(&random))) }
    }

    private static let lengths = [
        "default": 64.0, "mrefresh": 110, "mrefresh2": 140, "jackrabbit": 100,
    ]

    private mutating func names(_ isReversed: Bool) {
        let pair = isHorizontal ? ("leading", "trailing") : ("top", "bottom")
        (refreshEdge, loadMoreEdge) = isReversed ? (pair.1, pair.0) : pair
    }

    private mutating func add(_ edge: String, _ options: [JSONValue.Member]) {
        if !options.isEmpty { members.append(.init(edge, .object(options))) }
    }

    private mutating func sizes(_ random: inout SeededRandom) {
        viewport = random.pick(800, 640, 800)
        content = random.pick(300, 830, 2000, 2000, 4000)
        start = random.pick(0, 0, 47.6875, 88)
        end = random.pick(0, 0, 34.3125)
        members.append(.init("geometry", geometry))
    }

    /// The offset at which the list rests at the start of the content.
    var rest: Double { isMirrored ? content - viewport + start : -start }

    /// The sizes as in a message.
    var geometry: JSONValue {
        let (near, far) = isMirrored ? (end, start) : (start, end)
        var insets: [JSONValue.Member] = []
        if isHorizontal {
            insets = [.init("left", .number(near)), .init("right", .number(far))]
        } else {
            insets = [.init("top", .number(near)), .init("bottom", .number(far))]
        }
        var members = [
            JSONValue.Member("viewport", size(viewport)),
            JSONValue.Member("content", size(content)),
            JSONValue.Member("insets", .object(insets)),
        ]
        if isRightToLeft { members.append(.init("direction", .string("rtl"))) }
        return .object(members)
    }

    func size(_ length: Double) -> JSONValue {
        .object([
            .init("width", .number(isHorizontal ? length : 390)),
            .init("height", .number(isHorizontal ? 390 : length)),
        ])
    }

    private func pan(_ random: inout SeededRandom) -> JSONValue {
        var members: [JSONValue.Member] = []
        let curves = DampingCurve.allCases.map(\.rawValue)
        members.append(.init("damping", .string(curves[random.below(curves.count)])))
        if random.chance(20) {
            members.append(.init("maximumPull", .number(random.pick(120, 300))))
        }
        return .object(members)
    }
}
