/// The invariants that are true after every event, in the words and order of docs/engine.md,
/// "Invariants".
enum Invariant: String, CaseIterable {
    case loads = """
        Each load has its own number and ends exactly once. While it runs, the phase of its \
        edge contains it, or it is a silent refresh and the refresh phase contains no load. No \
        answer to a running load is dropped.
        """
    case together = """
        A refresh load and a load-more run together only if the policy of the later one is \
        `concurrent`.
        """
    case waiting = """
        If a refresh waits, a load-more runs. If a load-more waits, a refresh runs, or the first \
        page is awaited.
        """
    case triggers = """
        A gesture triggers each edge at most once in the same content. A movement by the program \
        alone triggers nothing.
        """
    case finger = """
        Under a finger there is no inset command. An offset command under a finger answers a \
        `pan` sample, or holds the content still when sizes change.
        """
    case rest = """
        If a command was the last to move the list, and the list rests while nothing is loaded \
        or shown, the list does not lie outside its start position.
        """
    case anchor = """
        The item that anchors the list stays at the same point of the viewport, also if items \
        are inserted nearer to the start of the list.
        """
    case shares = """
        The sent shares of the ledger equal the shares of the commands. If an edge shows \
        nothing and no finger is down, its share is zero.
        """
    case progress = """
        Progress is in 0...1, or, for a pull, in 0...`progressMax`. It never falls while a finger \
        moves farther out.
        """
    case diagrams = """
        The state that was sent last is the state of the phase. Every change of a state that \
        was sent is a transition of the diagrams.
        """
    case update = """
        If the only effect of an event is the state of an edge, and this effect has no cause and \
        no result, the state or its progress has changed.
        """
    case newer = """
        Newer data is announced only if it is not announced already, and withdrawn only if it \
        is announced.
        """
    case unread = """
        The number of newer items is positive only while newer data is announced. The newest end \
        is reported only when it goes out of sight or comes back. Each reveal ends once, and none \
        continues under a finger.
        """
    case deadlines = """
        Everything that ends by time has a deadline, and each deadline has a reason. After \
        `timePassed` the next deadline lies in the future.
        """
    case finite = "Every offset, share and duration is finite, for every geometry."
    case determinism = """
        The same events at the same instants give the same effects. This also holds for an \
        engine that was encoded and decoded in between.
        """
    case mirror = """
        The same session in a mirrored view, or along the other axis, gives the mirrored \
        effects.
        """
}
