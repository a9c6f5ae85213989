/// A request that will be answered later. Its connection holds it until then.
final class AwaitedAnswer {
    let ticket: HTTPTicket
    let head: RequestHead
    let ending: HTTPHead.Ending

    init(_ ticket: HTTPTicket, to head: RequestHead, ending: HTTPHead.Ending) {
        self.ticket = ticket
        self.head = head
        self.ending = ending
    }
}
