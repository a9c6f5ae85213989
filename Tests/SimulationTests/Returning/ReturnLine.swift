import RefreshConfiguration
import RefreshProtocol
import RefreshServer
import RefreshSession

/// A connection of the client, or of an intruder: another client that has the credentials of the
/// client. A frame to the client arrives at once, unless the client has given up this connection. A
/// frame from the client arrives when the search (`ReturnSearchTests`) delivers it.
final class ReturnLine: Channel {
    /// The content of one frame that a client sends.
    enum Frame {
        case hello(ReturnClaim?, [ReturnIntent])
        case intent(ReturnIntent)
    }

    let number: Int
    /// The index of the loop among the loops of all daemons.
    let loopIndex: Int
    let isIntruder: Bool
    let connectedAt: Instant
    private unowned let world: ReturnWorld
    var session: Session?
    /// The frames on their way to the daemon.
    var up: [Frame] = []
    /// Whether the connection is open at the daemon.
    var isUp = true
    private(set) var closed: CloseCode?
    /// The value of `ReturnWorld.passed` when the daemon read `hello` on this connection; nil
    /// until then.
    var helloReadAt: Int?

    init(_ number: Int, to loopIndex: Int, isIntruder: Bool, of world: ReturnWorld, at now: Instant)
    {
        self.number = number
        self.loopIndex = loopIndex
        self.isIntruder = isIntruder
        self.world = world
        connectedAt = now
    }

    var isWritable: Bool { closed == nil && isUp }

    func send(_ frame: inout ByteBuffer) {
        guard isWritable else { return world.fail("line \(number) is closed and was sent a frame") }
        world.receive(frame.bytes, on: self)
    }

    func requestWritable() {}

    func setReadingPaused(_ isReadingPaused: Bool) {}

    func close(_ code: CloseCode, reason: String) {
        guard closed == nil else { return world.fail("line \(number) is closed twice") }
        closed = code
        world.lineClosed(self, code)
    }
}

/// The `resume` object of a `hello`.
struct ReturnClaim {
    var session: String
    var token: String
    var ack: Int
    var received: String?
    var snapshot: String?

    var text: String {
        let received = received.map { "\"\($0)\"" } ?? ""
        let snapshot = snapshot.map { ",\"snapshot\":\"\($0)\"" } ?? ""
        return #""resume":{"session":"\#(session)","token":"\#(token)","ack":\#(ack),"#
            + #""received":[\#(received)]\#(snapshot)}"#
    }
}

/// A message that the client sends again until the daemon has acknowledged it.
struct ReturnIntent {
    enum Kind: String { case refresh, cancel }

    let seq: Int
    let kind: Kind

    var text: String { #"{"type":"\#(kind.rawValue)","view":"v","seq":\#(seq)}"# }
}

extension ReturnLine.Frame {
    func text(wantsSnapshots: Bool) -> String {
        switch self {
        case .intent(let intent): return intent.text
        case .hello(let claim, let intents):
            let resume = claim.map { ",\($0.text)" } ?? ""
            let snapshots = wantsSnapshots ? #","snapshots":true"# : ""
            let hello =
                #"{"type":"hello","protocol":1,"views":[{"view":"v","feed":"list","#
                + #""profile":"default","geometry":{"viewport":{"width":300,"height":400},"#
                + #""content":{"width":300,"height":100}}}]\#(snapshots)\#(resume)}"#
            return intents.isEmpty
                ? hello : "[\(([hello] + intents.map(\.text)).joined(separator: ","))]"
        }
    }
}
