/// What holds after every event, whatever it was, in the words and order of docs/engine.md,
/// "Invariants".
enum Invariant: String, CaseIterable {
    case loads = """
        Each load that was started has a number of its own and ends exactly once. While it runs, \
        the phase of its edge names it, or it runs hidden beside a load that the phase names. No \
        answer to it is dropped before it ends.
        """
    case together = """
        A refresh load and a load-more run together only if the policy of the later one is \
        `concurrent`.
        """
    case waiting = "An edge that waits for the other edge waits for a load that runs."
    case triggers = """
        A gesture triggers each edge at most once in the same content. A movement by the program \
        alone triggers nothing.
        """
    case finger = """
        Under a finger there is no inset command. An offset command there answers a `pan` \
        sample, or holds the list still when sizes change.
        """
    case rest = """
        If the daemon put a list where it is and the list rests there with nothing to show, it \
        does not lie before its start.
        """
    case anchor = """
        The item that anchors the list stays where it is seen, whatever is inserted before it.
        """
    case shares = """
        The shares that were sent are those of the commands. At an edge that shows nothing while \
        no finger is down, their sum is zero.
        """
    case progress = "Progress is in 0...1, and never falls while a finger moves farther out."
    case diagrams = """
        The state that was sent last is that of the phase. Every change that was sent is a \
        transition of the diagrams.
        """
    case news = "A change of an edge that is sent alone is not one that was sent already."
    case newer = """
        Newer data is announced only if it was not announced before, and withdrawn only if it \
        was.
        """
    case deadlines = """
        Everything that ends by itself has a deadline, and each deadline has a reason. After \
        `timePassed` the next deadline lies ahead.
        """
    case finite = "Every offset, share and duration is finite, whatever the geometry."
    case determinism = """
        The same events at the same instants give the same effects. This also holds for an \
        engine that was encoded and decoded in between.
        """
    case mirror = """
        The same session in a mirrored view, or along the other axis, gives the mirrored \
        effects.
        """
}
