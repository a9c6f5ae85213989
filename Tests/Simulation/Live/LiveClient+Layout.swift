import RefreshClient
import RefreshProtocol

/// The items that a client has laid out, one below the other.
struct LiveScreen {
    /// The height of the viewport in points.
    static let height = 300.0
    /// The distance from the start within which a list shows its new items, in points.
    static let startZone = 1.0

    /// The item that must stay in its place.
    struct Pin {
        /// The number of the message that reports where the item is now.
        let seq: Int
        let key: JSONValue
        /// The offset at which the item is where it was.
        let offset: Double
    }

    private(set) var items: [JSONValue] = []
    private var positions: [Double] = []
    private(set) var length = 0.0
    var isLayoutScheduled = false
    /// The anchor that the client has reported last.
    var anchor: (key: JSONValue, position: Double)?
    private(set) var pin: Pin?
    /// Whether the user has moved the list since the client has connected. Before, the client and
    /// the daemon can know different places.
    var hasMoved = false

    /// The offsets at which the list can rest.
    var range: ClosedRange<Double> { 0...max(length - Self.height, 0) }

    mutating func show(_ items: [JSONValue]) {
        self.items = items
        positions = []
        length = 0
        for item in items {
            positions.append(length)
            length += Self.height(of: item)
        }
    }

    private static func height(of item: JSONValue) -> Double {
        40 + 10 * Double(Int(item["id"]?.number ?? 0) % 4) + Double(Int(item["v"]?.number ?? 0) % 3)
    }

    /// The first item that is seen at this offset, and where it begins.
    func top(at offset: Double) -> (key: JSONValue, position: Double)? {
        guard !items.isEmpty else { return nil }
        let index = max((positions.firstIndex { $0 > offset } ?? items.count) - 1, 0)
        return items[index]["id"].map { ($0, positions[index]) }
    }

    func position(of key: JSONValue) -> Double? {
        items.firstIndex { $0["id"] == key }.map { positions[$0] }
    }

    mutating func hold(_ pin: Pin) { self.pin = pin }

    mutating func forgetPin() { pin = nil }
}

// How a client lays out its items, so that the item that the user sees stays in its place. Source:
// docs/protocol.md, "Anchors".
extension LiveClient {
    /// Lays the shown items out a moment later.
    func scheduleLayout(after delay: ClosedRange<Double> = 0...20) {
        guard !screen.isLayoutScheduled else { return }
        screen.isLayoutScheduled = true
        after(generator.milliseconds(delay.lowerBound, delay.upperBound)) { client in
            guard client.screen.isLayoutScheduled else { return }
            client.screen.isLayoutScheduled = false
            guard client.finger == nil, !client.isMoving else {
                return client.scheduleLayout(after: 20...40)
            }
            client.layOut()
        }
    }

    private func layOut() {
        let items = shown.items
        guard items != screen.items else { return }
        let old = screen
        // The offset at which the list is when all commands have arrived.
        let offset = old.pin?.offset ?? shown.offset.target
        screen.show(items)
        guard isOpen, offset > LiveScreen.startZone, let top = old.top(at: offset),
            let position = screen.position(of: top.key)
        else { return reportContent() }
        let target = position - (top.position - offset)
        guard screen.range.contains(target), old.range.contains(offset) else {
            return reportContent()
        }
        // If the daemon has not handled a movement yet, its commands for the list are outdated.
        let isKnown = old.pin != nil || screen.hasMoved && ack >= seq
        if screen.anchor?.key != top.key || screen.anchor?.position != top.position {
            reportAnchor(top)
        }
        var members = [contentSize]
        if keepsPlace { members.append(.init("offset", .number(target))) }
        reportAnchor((top.key, position), members)
        if isKnown { screen.hold(.init(seq: seq, key: top.key, offset: target)) }
        simulation.count("live anchor", offset == target ? "still" : "moved")
        // The answer to the client's `ping` tells when the daemon has handled this layout.
        change { $0.networkBecameAvailable(at: now) }
    }

    private var contentSize: JSONValue.Member {
        .init(
            "content",
            .object([.init("width", .number(390)), .init("height", .number(screen.length))]))
    }

    /// Reports a layout in which no item keeps its place.
    private func reportContent() {
        screen.anchor = nil
        screen.forgetPin()
        var members = [contentSize]
        let offset = shown.offset.target
        if !screen.range.contains(offset) {
            members.append(.init("offset", .number(min(max(offset, 0), screen.range.upperBound))))
        }
        send("geometry", members)
    }

    /// Reports the item that the user sees, because the list has come to rest.
    func reportAnchor() {
        let offset = shown.offset.target
        guard offset > LiveScreen.startZone, let top = screen.top(at: offset) else { return }
        reportAnchor(top)
    }

    private func reportAnchor(
        _ place: (key: JSONValue, position: Double), _ members: [JSONValue.Member] = []
    ) {
        screen.anchor = place
        send(
            "geometry",
            members + [
                .init(
                    "anchor",
                    .object([
                        .init("id", .string(place.key.text)),
                        .init("position", .number(place.position)),
                    ]))
            ])
    }

    /// Checks that the item that the user sees is where it was, when the daemon has handled its
    /// new position.
    func checkPin() {
        guard let pin = screen.pin, ack >= pin.seq, !isMoving else { return }
        screen.forgetPin()
        simulation.count("live anchor", "checked")
        let offset = shown.offset.target
        guard abs(offset - pin.offset) > 0.5 else { return }
        broken(
            .place,
            "the list is at \(offset), and item \(pin.key.text) keeps its place at "
                + "\(pin.offset)")
    }
}
