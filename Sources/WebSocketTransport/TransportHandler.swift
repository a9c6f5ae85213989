/// What a loop tells its owner. One per loop; every call comes on that loop's thread and must not
/// block.
package protocol TransportHandler: AnyObject {
    /// A connection was accepted; `left` follows unless it is turned away.
    func arrived(_ arrival: IncomingConnection) -> ArrivalDecision

    /// An accepted connection has ended, whatever became of it; exactly once for each that was not
    /// turned away.
    func left(_ place: HeldPlace)

    /// The head of a request did not come in time: the connection is about to be cut.
    func headTimedOut()

    /// A connection cannot be accepted. The answer is written to it if there is a way, without
    /// looking at what it asks for; nil closes it.
    func cannotAccept(for shortage: Shortage) -> HTTPResponse?

    /// Lower-case names of the headers that `admit` wants to see of an upgrade besides those it
    /// always does; asked before each. Few, for each is looked for.
    var headersWanted: [String] { get }

    /// A WebSocket upgrade that is well formed asks to be let in; path, origin, host and capacity
    /// are the handler's to judge.
    func admit(_ request: UpgradeRequest) -> UpgradeDecision

    /// An admitted connection stands; it may be written to from now on.
    func opened(_ connection: Connection)

    /// One whole message came. The span lives as long as the call; text is valid UTF-8.
    func received(_ message: Span<UInt8>, isBinary: Bool, on connection: Connection)

    /// A message comes in pieces, and so many bytes more of it are kept until it is whole.
    func kept(bytes: Int)

    /// A message is refused for `breach`, and the connection is about to be closed for it; the
    /// handler may say a last word and close it itself, with the same code.
    func refused(_ breach: MessageBreach, on connection: Connection)

    /// A whole message came after the connection was closed from this side: nobody takes it.
    func dropped(on connection: Connection)

    /// An upgrade was refused with `status` by the transport itself, before `admit` was asked.
    func refusedUpgrade(status: Int)
    /// About a twenty-fifth of `LoopConfiguration.pingAfterMs` is over, a second by default. Not
    /// called while there are no connections.
    func ticked()

    /// The connection can take a frame, after `Connection.requestWritable` asked for this.
    func writable(_ connection: Connection)

    /// The connection is gone; exactly once for each `opened`, and the last call for it.
    func closed(_ connection: Connection)

    /// A plain HTTP request with the method GET, HEAD or, without a body, POST or DELETE asks for
    /// an answer.
    func respond(to request: HTTPRequest) -> HTTPResponse

    /// The same for a handler that may have to find out first: nil, and `EventLoop.answer` has to
    /// follow for that ticket, within `EventLoop.lateAnswerSeconds`.
    func respond(to request: HTTPRequest, ticket: HTTPTicket) -> HTTPResponse?

    /// The time given to `EventLoop.wake(at:)` has come.
    func woken()
}

extension TransportHandler {
    package var headersWanted: [String] { [] }
    package func kept(bytes: Int) {}
    package func refused(_ breach: MessageBreach, on connection: Connection) {}
    package func dropped(on connection: Connection) {}
    package func refusedUpgrade(status: Int) {}
    package func ticked() {}
    package func arrived(_ arrival: IncomingConnection) -> ArrivalDecision { .welcome(place: nil) }
    package func left(_ place: HeldPlace) {}
    package func headTimedOut() {}
    package func cannotAccept(for shortage: Shortage) -> HTTPResponse? { nil }
    package func respond(to request: HTTPRequest, ticket: HTTPTicket) -> HTTPResponse? {
        respond(to: request)
    }
}
