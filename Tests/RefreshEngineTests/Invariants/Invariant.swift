/// What holds after every event, whatever it was, in the words and order of docs/engine.md,
/// "Invariants".
enum Invariant: String, CaseIterable {
    case loads = """
        A load that was started has a number of its own, ends exactly once, and is named by the phase of its \
        edge while it runs, or runs unseen beside one that names none; no answer to it is dropped before.
        """
    case together = """
        A refresh load and a load-more are together only where the later one's policy is `concurrent`.
        """
    case waiting = "What waits for the other edge waits for a load that runs."
    case triggers = """
        A gesture triggers each edge at most once in the same content, and what only the program moved \
        triggers nothing.
        """
    case finger = """
        Under a finger there is no inset command, and no offset command but the answer to a `pan` sample and \
        what holds the list still when sizes change.
        """
    case rest = """
        A list that the daemon put where it is, and that rests there with nothing to show, does not lie \
        before its start.
        """
    case anchor = """
        An item that the client holds the list by stays where it is seen, whatever comes in before it.
        """
    case shares = """
        The shares told are what the commands said, and sum to zero at an edge that shows nothing while no \
        finger is down.
        """
    case progress = """
        Progress is in 0...1, and never falls while a finger moves farther out.
        """
    case diagrams = """
        What is told last is the state of the phase, and every change told is a transition of the diagrams.
        """
    case news = "What is told of an edge alone says something new."
    case newer = "That there is newer data is told when it was not, and taken back when it was."
    case deadlines = """
        Whatever ends by itself has a deadline, no deadline is without a reason, and after `timePassed` the \
        next one lies ahead.
        """
    case finite = "Every offset, share and duration is finite, whatever the geometry."
    case determinism = """
        The same events at the same instants give the same effects, also by an engine that was written down \
        and read back in between.
        """
    case mirror = """
        The same session in a mirrored view, or along the other axis, gives the mirrored effects.
        """
}
