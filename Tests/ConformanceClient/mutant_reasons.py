"""Mistakes that pass every case and that no user sees, each with the reason.

The first pattern that matches counts. What a user would see does not belong here: it wants a case.
"""
import fnmatch

TWICE = "what comes twice in one connection says the same twice: it is merged into what it said before"
SAME_PLACE = "the same sample once more says that the list is where it is"
OF_THE_SERVER = "the server acts on the option by itself; a client shows what it is told, whatever the option"
NO_LOOK = "neither client shows it"
ITS_DEFAULT = "the value that the suite, like most hosts, has there is the one that counts without it"
AT_ONCE = "the client goes to the end at once or along another curve, as docs/protocol.md lets it (commands and timelines)"
NO_ANIMATION = "this client does not animate: it is at the end at once, as docs/protocol.md lets it"
NO_ORDER = "the two messages do not depend on each other, so that either order shows the same"
LATE_UNSEEN = "nothing that is shown waits for it"
OWN_CLOCK = "without the clock of the other side timelines begin when they come, which a client may do"

REASONS = [
    # What is told of the server alone
    ("*:hears:ignore-option:welcome.server", NO_LOOK),
    ("*:hears:ignore-option:welcome.profiles", NO_LOOK),
    ("*:hears:ignore-option:welcome.feeds", NO_LOOK),
    ("*:hears:ignore-option:welcome.reason", "`resumed` says the same; the reason is for the log"),
    ("*:hears:ignore-option:welcome.limits.gestureSilenceMs", ITS_DEFAULT),
    ("python:hears:*:welcome.time", NO_ANIMATION),
    ("python:hears:*:pong.time", NO_ANIMATION),
    ("*:hears:ignore-option:attached.ack", "`ack` is told by the messages behind it as well"),
    ("*:hears:ignore-option:attached.generation", "a client may leave `generation` out of all that it sends"),
    *((f"*:hears:ignore-option:attached.{option}", OF_THE_SERVER) for option in (
        "profile", "axis", "reversed", "attention", "haptics", "paging", "pan", "top.*", "bottom.*")),
    ("python:hears:ignore-option:attached.law*", "it is for clients that are `stream` or `local`"),
    ("web:hears:ignore-option:attached.law.bottom",
     "a `local` client predicts the refresh edge; the other is told by the server"),
    ("*:hears:*:items.count", "the items themselves are what is shown"),
    ("*:hears:*:items.more", "the server asks for the next page, or does not"),
    ("*:hears:ignore-option:loading.*", NO_LOOK),
    ("*:hears:ignore-option:error.view", "the error's code is told to the host, and the view stays unattached by itself"),
    ("*:hears:ignore-option:snapshot.expires",
     "a snapshot that is too old is refused by the server, and the session begins afresh"),
    ("*:hears:*:update.announce", "it is read out by the page around the client, which the drivers do not have"),
    ("python:hears:*:update.haptic", "it has no motor for cues"),
    ("*:hears:ignore-state:*.indicator", "a client may draw an indicator of its own, by `state` and `progress`"),
    # Clocks and ways
    ("python:hears:*:update.*.path*", NO_ANIMATION),
    ("python:hears:*:update.*.start", NO_ANIMATION),
    ("python:hears:*:update.*.duration", NO_ANIMATION),
    ("*:hears:*:update.*.curve", AT_ONCE),
    ("web:hears:ignore-*:update.*.duration", AT_ONCE),
    ("web:hears:wrong-*:update.*.start", AT_ONCE),
    ("*:hears:ignore-option:pong.t*", OWN_CLOCK),
    ("*:hears:wrong-unit:pong.time", OWN_CLOCK),
    ("*:says:*:ping.t", "the server gives it back as it came; the client alone reads it, and may do without"),
    ("*:says:ignore-option:scroll.t", "it is optional: the server takes the time at which the sample comes"),
    ("*:says:ignore-option:pan.t", "it is optional: the server takes the time at which the sample comes"),
    ("*:says:ignore-option:pan.offset",
     "without it the list is held where its way has it, some milliseconds from where it is shown"),
    # Once more
    *((f"*:hears:duplicate:{kind}", TWICE) for kind in (
        "update", "attached", "items.replace", "load", "loading.*", "error", "snapshot", "pong", "draining")),
    ("*:says:duplicate:scroll.*", SAME_PLACE),
    ("*:says:duplicate:pan.began", SAME_PLACE),
    ("*:says:duplicate:pan.dragging", SAME_PLACE),
    ("*:says:duplicate:geometry", "the same sizes once more change nothing"),
    ("*:says:duplicate:detach", "the second one costs an `unknownView`, of a view that is not shown any more"),
    ("*:says:duplicate:ping", "it has two answers"),
    ("*:says:duplicate:bye", "the session is over with the first"),
    # Another order
    ("*:hears:reorder:loading.progress", NO_LOOK),
    *((f"*:hears:reorder:{kind}", NO_ORDER) for kind in (
        "loading.retrying", "loading.failed", "loading.cancelled", "loading.timedOut", "load", "error", "snapshot", "pong",
        "draining")),
    ("*:says:reorder:ping", NO_ORDER),
    ("*:says:reorder:bye", "nothing comes behind it"),
    ("*:says:reorder:hello", "it waits in vain for a message to overtake it: nothing is sent before `welcome`"),
    ("*:says:reorder:detach", "what comes behind it is of another view"),
    # Too late
    ("*:hears:delay:pong", "a client gives the server five seconds"),
    ("*:hears:delay:draining", "nothing need be done before the close"),
    ("*:hears:delay:snapshot", "the newest that came before a break is given back; what is lacking is loaded again"),
    ("*:hears:delay:loading.progress", NO_LOOK),
    ("*:hears:delay:loading.retrying", "the load runs before it and behind it"),
    ("*:hears:drop:loading.progress", NO_LOOK),
    ("*:hears:drop:loading.retrying", "the load runs before it and behind it"),
    ("*:hears:drop:draining", "nothing need be done before the close"),
    ("*:says:delay:ping", LATE_UNSEEN),
    ("*:says:delay:bye", LATE_UNSEEN),
    ("*:says:delay:detach", "the view is gone from the screen already"),
    # What need not be sent
    ("*:says:ignore-option:hello.client", "it is a name for logs"),
    ("*:says:ignore-option:hello.views.*.geometry.insets", ITS_DEFAULT),
    ("*:says:*-edge:*geometry.insets", ITS_DEFAULT),
    ("*:says:ignore-option:*geometry.scale", "the server checks it, and does not use it yet"),
    ("*:says:ignore-option:hello.views.*.pan",
     "it asks for the law of another way to move; without it the server tells the way"),
    ("*:says:ignore-option:hello.resume.ack", "it decides nothing, and stands in journals"),
    ("*:says:*:scroll.velocity", "it is optional: the server measures"),
]


def reason(mutant):
    """Why nobody sees a mistake; `None`: somebody does."""
    return next((why for pattern, why in REASONS if fnmatch.fnmatchcase(mutant, pattern)), None)
