"""The mistakes that pass every case and that no user can see, each with the reason.

The first matching pattern counts. A mistake that a user can see does not belong here, because it needs a case.
"""
import fnmatch

TWICE = "the second copy has the same values as the first, which the client merges into what it shows"
SAME_PLACE = "the second copy of a sample has the place at which the list is already"
OF_THE_SERVER = "the server acts on the option by itself; a client shows the updates that it receives"
NOT_SHOWN = "neither client shows it"
AT_ONCE = "the client goes to the end at once or along another curve, as docs/protocol.md lets it (commands and timelines)"
NO_ANIMATION = "this client does not animate: it is at the end at once, as docs/protocol.md lets it"
NO_ORDER = "the two messages do not depend on each other, so that either order shows the same"
LATE_UNSEEN = "the screen does not depend on when it arrives"
OWN_CLOCK = "without the server's clock a timeline begins when it arrives, which a client may do"

REASONS = [
    # Information about the server only
    ("*:hears:ignore-option:welcome.server", NOT_SHOWN),
    ("*:hears:ignore-option:welcome.profiles", NOT_SHOWN),
    ("*:hears:ignore-option:welcome.feeds", NOT_SHOWN),
    ("*:hears:ignore-option:welcome.reason", "the client acts on `resumed`; `reason` is for its log"),
    ("python:hears:*:welcome.time", NO_ANIMATION),
    ("python:hears:*:pong.time", NO_ANIMATION),
    ("*:hears:ignore-option:attached.ack", "later messages carry an `ack` as well"),
    ("*:hears:ignore-option:attached.generation", "a client may leave `generation` out of all that it sends"),
    *((f"*:hears:ignore-option:attached.{option}", OF_THE_SERVER) for option in (
        "profile", "axis", "reversed", "attention", "haptics", "paging", "pan", "top.*", "bottom.*")),
    ("python:hears:ignore-option:attached.law*", "it is for clients that are `stream` or `local`"),
    ("web:hears:ignore-option:attached.law.bottom",
     "a `local` client predicts the refresh edge alone; the server sends the states of the other"),
    ("*:hears:*:items.count", "a client shows the items themselves, and counts them where it has to"),
    ("*:hears:*:items.more", "the server decides whether the next page is requested"),
    ("*:hears:ignore-option:loading.*", NOT_SHOWN),
    ("*:hears:ignore-option:items.page*", "a client shows the items themselves, and not which pages they are of"),
    ("*:hears:ignore-option:load.pages", "the host's backend decides what it answers, and the drivers have no such backend"),
    ("*:hears:*:loading.joined", "it neither begins nor ends a load"),
    ("*:hears:ignore-option:error.view", "the host gets the error's code, and the view stays unattached anyway"),
    ("*:hears:ignore-option:snapshot.expires",
     "a snapshot that is too old is refused by the server, and the session begins afresh"),
    ("*:hears:*:update.announce", "the page around the client reads it out, and the drivers have no such page"),
    ("*:hears:ignore-state:*.indicator", "a client may draw an indicator of its own by `state` and `progress`"),
    # Clocks and paths
    ("python:hears:*:update.*.path*", NO_ANIMATION),
    ("python:hears:*:update.*.start", NO_ANIMATION),
    ("python:hears:*:update.*.duration", NO_ANIMATION),
    ("*:hears:*:update.*.curve", AT_ONCE),
    ("web:hears:ignore-*:update.*.duration", AT_ONCE),
    ("web:hears:wrong-*:update.*.start", AT_ONCE),
    ("*:hears:ignore-option:pong.t*", OWN_CLOCK),
    ("*:says:*:ping.t", "the server returns it unchanged; only the client reads it, and a client may do without it"),
    ("*:says:ignore-option:scroll.t", "it is optional: without it, the server uses the time at which it receives the sample"),
    ("*:says:ignore-option:pan.t", "it is optional: without it, the server uses the time at which it receives the sample"),
    ("*:says:ignore-option:pan.offset",
     "without it the server takes the offset from its own path, a few milliseconds of motion from the shown one"),
    # Duplicates
    *((f"*:hears:duplicate:{kind}", TWICE) for kind in (
        "update", "attached", "items.replace", "load", "loading.*", "error", "snapshot", "draining")),
    ("*:hears:duplicate:pong", "the second copy has the same clocks as the first"),
    ("*:says:duplicate:scroll.*", SAME_PLACE),
    ("*:says:duplicate:pan.began", SAME_PLACE),
    ("*:says:duplicate:pan.dragging", SAME_PLACE),
    ("*:says:duplicate:geometry", "a second message with the same sizes changes nothing"),
    ("*:says:duplicate:detach", "the second one is answered by `unknownView`, of a view that is not shown any more"),
    ("*:says:duplicate:ping", "the server answers twice, and the second `pong` changes nothing"),
    ("*:says:duplicate:bye", "the session is over with the first"),
    # Changed order
    ("*:hears:reorder:loading.progress", NOT_SHOWN),
    *((f"*:hears:reorder:{kind}", NO_ORDER) for kind in (
        "loading.retrying", "loading.failed", "loading.cancelled", "loading.timedOut", "load", "error", "snapshot", "pong",
        "draining")),
    ("*:says:reorder:ping", NO_ORDER),
    ("*:says:reorder:bye", "nothing comes behind it"),
    ("*:says:reorder:hello", "nothing can overtake it: a client sends nothing more before `welcome`"),
    ("*:says:reorder:detach", "what comes behind it is of another view"),
    # Delays
    ("*:hears:delay:pong", "a client gives the server five seconds"),
    ("*:hears:delay:draining", "a client need not do anything before the close"),
    ("*:hears:delay:snapshot", "after a lost connection the client sends the newest one that came; missing items are loaded again"),
    ("*:hears:delay:loading.progress", NOT_SHOWN),
    ("*:hears:delay:loading.retrying", "the load is shown as running before this message and after it"),
    ("*:hears:drop:loading.progress", NOT_SHOWN),
    ("*:hears:drop:loading.retrying", "the load is shown as running before this message and after it"),
    ("*:hears:drop:draining", "a client need not do anything before the close"),
    ("*:says:delay:ping", LATE_UNSEEN),
    ("*:says:delay:bye", LATE_UNSEEN),
    ("*:says:delay:detach", "the view is gone from the screen already"),
    # Optional messages and members
    ("*:says:ignore-option:hello.client", "it is a name for logs"),
    ("*:says:ignore-option:*geometry.scale", "the server checks it, and does not use it yet"),
    ("*:says:ignore-option:hello.views.*.pan",
     "with it the first law has `resistance`; without it `resistance` comes with the first `pan`"),
    ("*:says:ignore-option:hello.resume.ack", "it has no effect on the session; the server only records it in journals"),
    ("*:says:*:scroll.velocity", "it is optional: the server measures"),
]


def reason(mutant):
    """Returns the reason why no user can see a mistake. Returns `None` if no reason is known."""
    return next((why for pattern, why in REASONS if fnmatch.fnmatchcase(mutant, pattern)), None)
