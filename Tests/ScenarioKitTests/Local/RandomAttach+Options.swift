import RefreshBroker
import RefreshProtocol

@testable import ScenarioKit

/// Random options of the edges. Each value is compatible with the others.
extension RandomAttach {
    private typealias Options = [JSONValue.Member]

    mutating func refresh(
        _ random: inout SeededRandom, _ change: Int
    ) -> [JSONValue.Member] {
        var options: Options = []
        func set(_ name: String, _ value: JSONValue) { options.append(.init(name, value)) }
        func changes() -> Bool { random.chance(change) }
        if changes() {
            length = random.pick(60, 80, 100.5)
            set("length", .number(length))
            set("start", .number(random.pick(0, 0.25) * length))
        }
        if changes() {
            let trigger = random.pick("release", "release", "reach", "platform")
            isPlatform = trigger == "platform"
            set("trigger", .string(trigger))
        }
        if changes() { set("preload", .number(random.pick(0.25, 0.5) * length)) }
        if changes() { set("room", .number(random.pick(0, 40, 90.5))) }
        if changes() { set("hysteresis", .number(random.pick(0, 0.125, 0.5) * length)) }
        if changes() { set("slop", .number(random.pick(0, 10))) }
        if changes() { set("strict", .bool(random.chance(50))) }
        if changes() { set("zone", random.pick(.null, .number(0), .number(20))) }
        if changes() { set("floating", .bool(random.chance(60))) }
        if changes() { set("insetDuration", .number(random.pick(0, 100, 300))) }
        if changes() { set("offsetDuration", .number(random.pick(0, 250))) }
        if changes() { set("intents", .array(intents(&random))) }
        if changes() { set("whileLoading", .string(conflict(&random))) }
        if changes() { set("onCancel", .string(random.pick("disarm", "release"))) }
        if changes() { set("seesCode", .bool(random.chance(50))) }
        if changes() { set("pullsAgain", .bool(random.chance(50))) }
        if changes() { set("firesAgain", .bool(random.chance(50))) }
        if changes() { set("minVisible", .number(random.pick(0, 300, 2000))) }
        if changes() { set("successHold", .number(random.pick(0, 400))) }
        if changes() { set("failureHold", .number(random.pick(0, 1500))) }
        if changes() { set("coolDown", .number(random.pick(0, 1000))) }
        if changes() {
            set("closing", .string(random.pick("atOnce", "animated", "atRelease", "atStep")))
            set("step", .number(300))
        }
        if changes(), random.chance(70) { set("floor", floor(&random)) }
        if pans || changes() { set("hold", .bool(pans || random.chance(50))) }
        return options
    }

    private func floor(_ random: inout SeededRandom) -> JSONValue {
        .object([
            .init("length", .number(length * 2)), .init("velocity", .number(random.pick(0, 1000))),
            .init("duration", .number(random.pick(0, 300))),
            .init("timeout", .number(random.pick(0, 2000))),
        ])
    }

    private func intents(_ random: inout SeededRandom) -> [JSONValue] {
        let all = ["finger", "fling", "wheel", "key", "accessibility", "code", "retry"]
        return switch random.below(3) {
        case 0: all.map { .string($0) }
        case 1: [.string("finger")]
        default: [.string("fling"), .string("wheel"), .string("code")]
        }
    }

    private func conflict(_ random: inout SeededRandom) -> String {
        random.pick("cancel", "queue", "reject", hasFeed ? "reject" : "concurrent")
    }

    mutating func loadMore(
        _ random: inout SeededRandom, _ change: Int
    ) -> [JSONValue.Member] {
        var options: Options = []
        func set(_ name: String, _ value: JSONValue) { options.append(.init(name, value)) }
        func changes() -> Bool { random.chance(change) }
        if changes() { set("trigger", .string(random.pick("release", "reach", "platform"))) }
        if changes() { set("mode", .string(random.pick("user", "limit"))) }
        if changes() { set("length", .number(random.pick(60, 80))) }
        if changes() { set("preload", .number(random.pick(0, 30, 200))) }
        if changes() { set("preloadItems", .number(random.pick(0, 3))) }
        if changes() { set("leadTime", random.pick(.null, .number(0), .number(200))) }
        if changes() { set("hold", .bool(random.chance(50))) }
        if changes() { set("insetDuration", .number(random.pick(0, 250))) }
        if changes() { set("rearm", .string(random.pick("content", "gesture"))) }
        if changes() { set("anyDirection", .bool(random.chance(50))) }
        if changes() { set("onCancel", .string(random.pick("disarm", "release"))) }
        if changes() { set("intents", .array(intents(&random))) }
        if changes() { set("whileRefreshing", .string(conflict(&random))) }
        if changes() { set("fill", .number(random.pick(0, 2))) }
        if changes() { set("backOff", .number(random.pick(0, 500))) }
        if changes() { set("asksAgain", .bool(random.chance(50))) }
        return options
    }
}
