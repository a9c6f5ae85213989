import Foundation
import Glibc
import Synchronization
import Workbench

/// A client that repeatedly refreshes and loads more, while the daemons behind its address change.
final class RollingClient {
    /// The port of the daemon that accepts new sessions now, as a load balancer would provide it.
    final class Address: Sendable {
        private let value: Mutex<UInt16>

        init(_ port: UInt16) { value = Mutex(port) }

        var port: UInt16 {
            get { value.withLock { $0 } }
            set { value.withLock { $0 = newValue } }
        }
    }

    /// The result of the client's run.
    struct Outcome {
        var rounds = 0
        var returns: [String] = []
        /// The errors that the client received, except `draining`.
        var errors: [String] = []
        /// The items at the end of each round that ended with other items than an undisturbed
        /// round.
        var wrong: [[Int]] = []
        /// The step in which the client got stuck. Nil if it did not get stuck.
        var stuck: String?
    }

    private struct Stuck: Error {
        var place: String
    }

    static let items = Array(1...2 * CountingBackend.pageSize)
    private static let patience = 60.0 * Double(Workbench.patience)

    private let address: Address
    private let client: ThinClient
    private let isRunning: () -> Bool
    private let roundEnded: () -> Void

    /// The client begins a round only if `isRunning` returns true. It calls `roundEnded` at the end
    /// of each round.
    init(
        _ address: Address, while isRunning: @escaping () -> Bool,
        roundEnded: @escaping () -> Void
    ) {
        self.address = address
        self.isRunning = isRunning
        self.roundEnded = roundEnded
        client = ThinClient(port: address.port)
    }

    func run() -> Outcome {
        var outcome = Outcome()
        do {
            try reconnect()
            try listen(until: "attached") { client.isGreeted }
            while isRunning() {
                try pull()
                try loadMore()
                if client.seen.items != Self.items { outcome.wrong.append(client.seen.items) }
                outcome.rounds += 1
                roundEnded()
            }
        } catch let stop as Stuck {
            outcome.stuck = "\(stop.place): \(client.seen)"
        } catch {
            outcome.stuck = "\(error)"
        }
        outcome.returns = client.returns
        outcome.errors = client.errors.filter { $0 != "draining" }
        return outcome
    }

    // MARK: What the user does

    private func pull() throws {
        client.scroll(to: 0, phase: "began")
        client.scroll(to: -60, phase: "dragging")
        try pause()
        client.scroll(to: -140, phase: "dragging")
        try pause()
        client.scroll(to: -140, phase: "ended")
        try listen(until: "refreshed") {
            client.seen.top != "pulling" && client.seen.top != "armed"
                && client.seen.items == Array(Self.items.prefix(CountingBackend.pageSize))
        }
        try listen(until: "at rest") {
            client.seen.top == "idle" && client.seen.insetTop == 0
        }
    }

    private func loadMore() throws {
        client.setContent(height: 3600)
        client.scroll(to: 0, phase: "began")
        client.scroll(to: 1500, phase: "dragging")
        try pause()
        client.scroll(to: 2700, phase: "dragging")
        client.scroll(to: 2790, phase: "dragging")
        try pause()
        client.scroll(to: 2790, phase: "ended")
        try listen(until: "more") { client.seen.items.count >= Self.items.count }
        client.setContent(height: 7200)
        client.scroll(to: 2790, phase: "idle")
        try listen(until: "the end") {
            client.isGreeted && client.seen.bottom == "idle" && client.seen.insetBottom == 0
                && client.seen.top == "idle" && client.seen.insetTop == 0
        }
    }

    /// A pause in which the finger rests, and a daemon may stop.
    private func pause() throws {
        let end = Date(timeIntervalSinceNow: 0.02)
        while end > Date() {
            _ = client.listen(within: 5)
            if !client.isConnected { try reconnect() }
        }
    }

    // MARK: The connection

    private func reconnect() throws {
        let end = Date(timeIntervalSinceNow: Self.patience)
        repeat {
            client.port = address.port
            if client.connect() { return }
            usleep(5000 + UInt32.random(in: 0..<20_000))
        } while end > Date()
        throw Stuck(place: "connect")
    }

    private func listen(until place: String, isDone: () -> Bool) throws {
        let end = Date(timeIntervalSinceNow: Self.patience)
        while !isDone() {
            guard end > Date() else { throw Stuck(place: place) }
            _ = client.listen(within: 5)
            if !client.isConnected { try reconnect() }
        }
    }
}
