#!/usr/bin/env python3
"""A correct client with one plausible mistake: the driver of model_client.py with a replaced part of the client.

    wrong_client.py --list        list each mistake with the case that must catch it
    wrong_client.py MISTAKE       run the driver of the client with this mistake
"""
import asyncio
import collections
import json
import os
import pathlib
import sys
import types

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "clients/python"))

import conform  # noqa: E402
import model_client  # noqa: E402
import refreshd  # noqa: E402
from refreshd import anchors, listing as listings, patches, session as sessions, state as states, timing, view as views  # noqa: E402
from refreshd.patches import value_at  # noqa: E402
from refreshd.sections import Section, sections_of  # noqa: E402

MISTAKES = {}


def caught_by(case):
    """Registers a mistake under the name of its function. The function changes three classes that it receives: those
    of the session, the view and the client.
    """
    def register(make):
        MISTAKES[make.__name__.replace("_", "-")] = (case, make)
        return make
    return register


def around(kind, name):
    """Replaces a method by the decorated function, whose first argument is the original method."""
    def replace(function):
        original = getattr(kind, name)
        setattr(kind, name, lambda self, *rest, **more: function(original, self, *rest, **more))
        return function
    return replace


def changes_received(kind, type_):
    """The decorated function changes each received message of this type. If it returns None, the message is dropped.
    """
    def replace(function):
        @around(kind, "handle")
        def handle(original, self, message, *rest):
            if message["type"] == type_:
                message = function(self, message)
            return original(self, message, *rest) if message else None
        return function
    return replace


def changes_sent(session, *types_):
    """The decorated function changes sent messages of these types."""
    def replace(function):
        @around(session, "send")
        async def send(original, self, message):
            if message["type"] in types_:
                message = function(self, message)
            return await original(self, message)
        return function
    return replace


# Frames and messages

@caught_by("hello-first")
def says_numbers_as_text(session, view, client):
    @around(session, "hello")
    def hello(original, self):
        frame = original(self)
        frame[0]["protocol"] = "1"
        return frame


@caught_by("hello-first")
def says_hello_twice(session, view, client):
    @around(session, "transmit")
    async def transmit(original, self, socket, frame):
        await original(self, socket, frame)
        if isinstance(frame, list) and frame[0]["type"] == "hello":
            await original(self, socket, frame[0])


@caught_by("batch-in-order")
def reads_batches_backwards(session, view, client):
    def loads(text):
        frame = json.loads(text)
        is_batch = isinstance(frame, list) and frame[0]["type"] != "welcome"
        return frame[::-1] if is_batch else frame
    states.json = types.SimpleNamespace(loads=loads, dumps=json.dumps)


@caught_by("unknown-type")
def hangs_up_at_a_strange_type(session, view, client):
    @around(session, "handle")
    def handle(original, self, message):
        if message["type"] == "weather":
            raise refreshd.Refused(message["type"])
        original(self, message)


@caught_by("unknown-fields")
def hangs_up_at_a_strange_field(session, view, client):
    @changes_received(session, "update")
    def update(self, message):
        if not message.keys() <= {"type", "view", "ack", "top", "bottom", "inset", "offset"}:
            raise refreshd.Refused("a field")
        return message


@caught_by("unknown-view")
def takes_all_for_its_view(session, view, client):
    @around(client, "__init__")
    def make(original, self, order):
        original(self, order)
        views = type("Views", (dict,), {
            "__contains__": lambda *_: True, "get": lambda views, *_: next(iter(views.values()))})

        async def attach(name, profile, **options):
            self.session.views = views()
            self.session.views[name] = self.session.view_kind(
                self.session, name, {"view": name, "profile": profile, **options})
            return self.session.views[name]
        self.session.attach = attach


@caught_by("error-is-no-end")
def hangs_up_at_an_error(session, view, client):
    @changes_received(session, "error")
    def error(self, message):
        raise refreshd.Refused(message["code"])


@caught_by("numbers-grow")
def numbers_do_not_grow(session, view, client):
    @around(session, "send")
    async def send(original, self, message):
        self.seq = min(self.seq, 1)
        await original(self, message)


@caught_by("generation-current")
def keeps_the_first_generation(session, view, client):
    @changes_sent(session, "refresh")
    def ask(self, message):
        return message | {"generation": 1}


# The display

@caught_by("update-merges")
def forgets_what_is_not_repeated(session, view, client):
    views.merged = lambda edge, change: change


@caught_by("spinner-merges")
def forgets_what_a_spinner_keeps(session, view, client):
    original = views.merged
    views.merged = lambda edge, change: original({k: v for k, v in edge.items() if k != "indicator"}, change)


@caught_by("progress-lapses")
def keeps_the_progress_of_a_pull(session, view, client):
    original = views.merged
    views.merged = lambda edge, change: (
        original(edge, change) | {"progress": change.get("progress", edge.get("progress", 0))})


@caught_by("edges-are-apart")
def takes_one_edge_for_both(session, view, client):
    @changes_received(view, "update")
    def update(self, message):
        return message | ({"top": message["bottom"]} if "bottom" in message else {})


@caught_by("inset-is-whole")
def adds_insets_up(session, view, client):
    @changes_received(view, "update")
    def update(self, message):
        inset = {name: self.inset[name] + share for name, share in message.get("inset", {}).items()
                 if name in self.inset}
        return message | ({"inset": inset} if inset else {})


@caught_by("inset-applied")
def closes_the_other_room(session, view, client):
    @changes_received(view, "update")
    def update(self, message):
        return message | ({"inset": {"top": 0, "bottom": 0} | message["inset"]} if "inset" in message else {})


@caught_by("attached-inset")
def ignores_the_room_of_a_new_view(session, view, client):
    @changes_received(view, "attached")
    def attached(self, message):
        return {name: value for name, value in message.items() if name != "inset"}


@caught_by("offset-applied")
def stays_where_it_is(session, view, client):
    @changes_received(view, "update")
    def update(self, message):
        return {name: value for name, value in message.items() if name != "offset"}


@caught_by("stale-offset")
def follows_what_is_void(session, view, client):
    @changes_received(view, "update")
    def update(self, message):
        self.began = 0
        return message


@caught_by("own-insets")
def tells_the_share_as_its_own(session, view, client):
    @changes_sent(session, "geometry")
    def geometry(self, message):
        return message | {"insets": {"top": 64, "left": 0, "bottom": 0, "right": 0}}


@caught_by("items-append")
def drops_the_page_before(session, view, client):
    @changes_received(view, "items")
    def items(self, message):
        return message | {"mode": "replace"}


@caught_by("items-replace")
def doubles_items(session, view, client):
    @changes_received(view, "items")
    def items(self, message):
        return message | {"mode": "append"}


@caught_by("load-fails")
def drops_items_of_a_failure(session, view, client):
    @changes_received(view, "loading")
    def loading(self, message):
        if message["phase"] == "failed":
            self.items = []
        return message


@caught_by("load-cancelled")
def waits_for_what_was_cancelled(session, view, client):
    @changes_received(view, "loading")
    def loading(self, message):
        return None if message["phase"] == "cancelled" else message


@caught_by("load-retries")
def takes_a_retry_for_the_end(session, view, client):
    @changes_received(view, "loading")
    def loading(self, message):
        return message | ({"phase": "failed"} if message["phase"] == "retrying" else {})


# The actions of a user

@caught_by("pull-is-negative")
def counts_a_pull_upwards(session, view, client):
    @changes_sent(session, "scroll")
    def scroll(self, message):
        return message | {"offset": -message["offset"]}


@caught_by("began-first")
def leaves_out_began(session, view, client):
    @changes_sent(session, "scroll")
    def scroll(self, message):
        return message | ({"phase": "dragging"} if message["phase"] == "began" else {})


@caught_by("velocity-agrees")
def takes_every_release_for_a_throw(session, view, client):
    @changes_sent(session, "scroll")
    def scroll(self, message):
        return message | ({"velocity": 500000} if message["phase"] == "ended" else {})


@caught_by("cancelled")
def takes_a_loss_for_a_release(session, view, client):
    @changes_sent(session, "scroll")
    def scroll(self, message):
        return message | ({"phase": "ended"} if message["phase"] == "cancelled" else {})


@caught_by("code-is-no-finger")
def takes_the_program_for_a_finger(session, view, client):
    @changes_sent(session, "scroll")
    def scroll(self, message):
        return {name: value for name, value in message.items() if name != "cause"}


@caught_by("still-finger")
def forgets_a_still_finger(session, view, client):
    conform.STILL_SECONDS = 600


@caught_by("own-backend")
def answers_a_load_twice(session, view, client):
    @around(session, "send")
    async def send(original, self, message):
        await original(self, message)
        if message["type"] == "loadFinished":
            await original(self, dict(message))


# The resting offset

@caught_by("springs-back")
def leaves_a_list_where_it_was_let_go(session, view, client):
    async def spring(self, name):
        pass
    client.spring = spring


@caught_by("rests-in-content")
def rests_without_a_word(session, view, client):
    @around(client, "sample")
    async def sample(original, self, name, offset, phase, **more):
        if phase != "idle":
            await original(self, name, offset, phase, **more)


@caught_by("springs-to-room")
def springs_through_its_room(session, view, client):
    view.rest = lambda self: max(self.offset, 0)


@caught_by("springs-to-end")
def stays_beyond_the_end_of_its_content(session, view, client):
    view.rest = lambda self: max(self.offset, -self.inset["top"])


@caught_by("springs-back-cancelled")
def springs_only_when_it_was_let_go(session, view, client):
    async def take_away(self, view="list", **_):
        self.fingers.pop(view).cancel()
        await self.sample(view, self.views[view].offset, "cancelled")
    client.takeAway = take_away


@caught_by("finger-stops-spring")
def springs_back_under_the_finger(session, view, client):
    client.stop_spring = lambda self, name: None


@caught_by("commanded-is-done")
def reports_what_it_was_told(session, view, client):
    @around(view, "change")
    def change(original, self, message):
        original(self, message)
        if "offset" in message:
            self.echo = asyncio.create_task(self.scroll(self.offset, "idle", cause="code"))


@caught_by("room-leaves-list")
def moves_with_its_room(session, view, client):
    @around(view, "change")
    def change(original, self, message):
        room = self.inset["top"]
        original(self, message)
        if "offset" not in message:
            self.offset -= self.inset["top"] - room


@caught_by("views-are-current")
def tells_its_first_sizes(session, view, client):
    @around(view, "__init__")
    def make(original, self, *arguments, **options):
        original(self, *arguments, **options)
        first = self.geometry, self.offset
        body = self.body
        self.body = lambda: body() | {"geometry": first[0], "offset": first[1]}


# Delays

def late(kind, name, is_meant):
    """Delays each call of the method for which `is_meant` returns true."""
    @around(kind, name)
    async def wait(original, self, *rest, **more):
        if is_meant(*rest, **more):
            await asyncio.sleep(3)
        return await original(self, *rest, **more)


@caught_by("told-at-once")
def tells_the_release_late(session, view, client):
    late(session, "transmit", lambda _, frame: isinstance(frame, dict) and frame.get("phase") == "ended")


@caught_by("asked-at-once")
def asks_late(session, view, client):
    late(session, "transmit", lambda _, frame: isinstance(frame, dict) and frame["type"] == "retry")


@caught_by("asked-in-order")
def cancels_before_it_asks(session, view, client):
    @around(session, "send")
    async def send(original, self, message):
        if message["type"] == "refresh":
            self.put_off = message
            return
        await original(self, message)
        if message["type"] == "cancel":
            await original(self, self.put_off)


@caught_by("answers-at-once")
def answers_late(session, view, client):
    late(session, "transmit", lambda _, frame: isinstance(frame, dict) and frame["type"] == "loadFinished")


@caught_by("shown-at-once")
def shows_the_end_of_a_load_late(session, view, client):
    @around(view, "end")
    def end(original, self, load):
        asyncio.get_running_loop().call_later(3, original, self, load)


# Removed views, and the second floor

@caught_by("detach-is-said")
def hides_a_view_without_a_word(session, view, client):
    async def send_detach(self, socket, name):
        pass
    session.send_detach = send_detach


@caught_by("detached-is-gone")
def shows_a_view_that_is_gone(session, view, client):
    @around(client, "detach")
    async def detach(original, self, view="list", **more):
        kept = self.views[view]
        await original(self, view=view, **more)
        self.views[view] = kept


@caught_by("detached-stays-away")
def names_a_view_that_is_gone(session, view, client):
    @around(session, "detach")
    async def detach(original, self, name):
        views = self.views
        await original(self, name)
        self.views = views


@caught_by("floor-is-shown")
def keeps_the_progress_of_a_floor(session, view, client):
    @changes_received(view, "update")
    def update(self, message):
        return message | ({"floor": self.floor | message["floor"]} if "floor" in message else {})


@caught_by("floor-and-refresh")
def takes_the_floor_for_a_refresh(session, view, client):
    @changes_received(view, "update")
    def update(self, message):
        opens = message.get("floor", {}).get("state") == "opening"
        return message | ({"top": {"state": "refreshing"}} if opens else {})


@caught_by("floor-opens")
def stays_before_the_floor(session, view, client):
    @changes_received(view, "update")
    def update(self, message):
        is_floor = "floor" in message
        return {name: value for name, value in message.items() if not (is_floor and name == "offset")}


@caught_by("floor-closes")
def keeps_the_room_of_the_floor(session, view, client):
    @changes_received(view, "update")
    def update(self, message):
        closes = message.get("floor", {}).get("state") == "closing"
        return {name: value for name, value in message.items() if not (closes and name == "inset")}


@caught_by("floor-begins-closed")
def finds_the_floor_as_it_was(session, view, client):
    @around(view, "begin")
    def begin(original, self):
        floor = getattr(self, "floor", {"state": "closed"})
        original(self)
        self.floor = floor

    @around(view, "handle")
    def handle(original, self, message, *rest):
        floor = self.floor
        original(self, message, *rest)
        if message["type"] == "attached":
            self.floor = floor


@caught_by("asks-floor")
def only_ever_opens_the_floor(session, view, client):
    @changes_sent(session, "floor")
    def floor(self, message):
        return message | {"open": True}


# Features

@caught_by("empty-features")
def leaves_out_an_empty_list_of_features(session, view, client):
    @around(session, "hello")
    def hello(original, self):
        self.features = self.features or None
        return original(self)


@caught_by("no-features")
def names_features_without_a_host_that_uses_them(session, view, client):
    @around(session, "__init__")
    def make(original, self, *arguments, features=None, **options):
        original(self, *arguments, features=features or [], **options)


@caught_by("no-features")
def asks_for_first_items_without_features(session, view, client):
    @around(session, "hello")
    def hello(original, self):
        frame = original(self)
        for body in frame[0]["views"]:
            body["initial"] = "kept"
        return frame


@caught_by("features-again")
def names_its_features_once(session, view, client):
    @around(session, "hello")
    def hello(original, self):
        frame = original(self)
        if self.was_welcomed:
            del frame[0]["features"]
        return frame


@caught_by("unknown-feature")
def refuses_an_unknown_feature(session, view, client):
    @changes_received(session, "welcome")
    def welcome(self, message):
        return message | {"features": [] if "teleport" in message.get("features", []) else message.get("features")}


@caught_by("unserved-feature")
def queries_every_server(session, view, client):
    session.uses = lambda self, feature: True


@caught_by("older-server")
def disappears_at_every_server(session, view, client):
    session.has_features = True


@caught_by("features-end")
def keeps_the_features_of_its_first_server(session, view, client):
    @around(session, "handle")
    def handle(original, self, message):
        served = self.served
        original(self, message)
        self.served = served or self.served


# Patches

def changes_patches(change):
    """`change` replaces the function that applies the runs of a patch. Its first argument is the original function."""
    original = listings.patched
    listings.patched = lambda old, message, pointer: change(original, old, message, pointer)


@caught_by("patch-moves")
def leaves_moved_items_in_their_old_order(session, view, client):
    def in_old_order(original, old, message, pointer):
        new = original(old, message, pointer)
        return new and sorted(new, key=lambda item: old.index(item) if item in old else -1)
    changes_patches(in_old_order)


@caught_by("patch-changes")
def keeps_items_that_are_in_no_run(session, view, client):
    def keep(original, old, message, pointer):
        new = original(old, message, pointer)
        return new and new + [item for item in old if item not in new]
    changes_patches(keep)


@caught_by("patch-after-replace")
def keeps_the_base_over_a_replace(session, view, client):
    known = {}

    def keep(original, old, message, pointer):
        return original(old + [item for name, item in known.items() if name not in {one["id"] for one in old}], message, pointer)
    changes_patches(keep)

    @changes_received(view, "items")
    def items(self, message):
        known.update((item["id"], item) for item in message.get("items", []))
        return message


@caught_by("patch-after-patch")
def keeps_the_base_over_a_patch(session, view, client):
    @around(listings.Listing, "receive")
    def receive(original, self, message, pointer, ack):
        newest, base = self.received, getattr(self, "base", self.received)
        if message["mode"] == "patch":
            self.received = base
        original(self, message, pointer, ack)
        if message["mode"] != "patch":
            self.base = self.received
        elif self.awaits_list:
            self.received = newest


@caught_by("patch-after-append")
def patches_the_list_without_further_pages(session, view, client):
    @around(listings.Listing, "receive")
    def receive(original, self, message, pointer, ack):
        if message["mode"] == "patch":
            self.received = self.received[:self.first_count]
        original(self, message, pointer, ack)
        if message["mode"] == "replace":
            self.first_count = len(self.received)


@caught_by("patch-after-prepend")
def patches_the_list_without_earlier_pages(session, view, client):
    @around(listings.Listing, "receive")
    def receive(original, self, message, pointer, ack):
        if message["mode"] == "patch":
            self.received = self.received[-self.first_count:]
        original(self, message, pointer, ack)
        if message["mode"] == "replace":
            self.first_count = len(self.received)


def patches_without(check):
    """Applies patches as a correct client does, except that it does not check one thing: `check`."""
    def patch(original, old, message, pointer):
        keys = [value_at(item, pointer) for item in old]
        items = []
        for run in message["runs"]:
            if "items" in run:
                items += run["items"]
                continue
            count = keys.count(run["from"])
            if not count and check == "keys":
                continue
            if not count or (count > 1 and check != "ambiguity"):
                return None
            start = keys.index(run["from"])
            if start + run["count"] > len(old) and check != "length":
                return None
            items += old[start:start + run["count"]]
        # The count would reveal what the other checks overlook.
        is_counted = check in ("count", "keys", "length") or len(items) == message["count"]
        return items if is_counted else None
    changes_patches(patch)


@caught_by("patch-unknown-key")
def applies_the_runs_of_a_patch_that_fit(session, view, client):
    patches_without("keys")


@caught_by("patch-too-long")
def shortens_a_run_that_is_too_long(session, view, client):
    patches_without("length")


@caught_by("patch-count")
def does_not_count_the_items_of_a_patch(session, view, client):
    patches_without("count")


@caught_by("patch-ambiguous")
def takes_the_first_of_several_items_with_a_key(session, view, client):
    patches_without("ambiguity")


@caught_by("patch-then-nothing-until-replace")
def continues_after_a_patch_that_does_not_fit(session, view, client):
    @around(listings.Listing, "receive")
    def receive(original, self, message, pointer, ack):
        self.awaits_list = False
        original(self, message, pointer, ack)


@caught_by("patch-unknown-key")
def requests_no_list_after_a_patch_that_does_not_fit(session, view, client):
    view.list_requests = lambda self: []


@caught_by("patch-unknown-key")
def resets_only_the_refresh_edge(session, view, client):
    @around(view, "list_requests")
    def list_requests(original, self):
        return [one | {"edge": "top"} if one["type"] == "reset" else one for one in original(self)]


@caught_by("patch-without-refresh-edge")
def refreshes_without_a_refresh_edge(session, view, client):
    @around(view, "list_requests")
    def list_requests(original, self):
        return [one | {"type": "refresh"} if one["type"] == "loadMore" else one for one in original(self)]


@caught_by("patch-after-resume")
def forgets_the_base_at_a_resume(session, view, client):
    @around(view, "attached")
    def attached(original, self, message, is_back):
        original(self, message, is_back)
        self.listing.has_no_base = is_back

    @around(listings.Listing, "receive")
    def receive(original, self, message, pointer, ack):
        if message["mode"] == "patch" and self.has_no_base:
            message["runs"] = [{"from": {}, "count": 1}]
        original(self, message, pointer, ack)


@caught_by("patch-by-key-value")
def compares_keys_as_text(session, view, client):
    def as_text(original, old, message, pointer):
        def is_key(run, item):
            return str(value_at(item, pointer)) == str(run["from"])
        new = []
        for run in message["runs"]:
            start = 0 if "items" in run else next((index for index, item in enumerate(old) if is_key(run, item)), None)
            if start is None:
                return None
            new += run["items"] if "items" in run else old[start:start + run["count"]]
        return new
    changes_patches(as_text)


@caught_by("query-is-configured")
def attaches_a_view_again_for_a_query(session, view, client):
    @around(session, "query")
    async def query(original, self, name, parameters, **options):
        is_used = await original(self, name, parameters, **options)
        await self.send_detach(self.socket, name)
        return is_used


@caught_by("query-options")
def clears_no_list(session, view, client):
    @changes_sent(session, "configure")
    def configure(self, message):
        return {name: value for name, value in message.items() if name != "shown"}


@caught_by("query-keeps")
def clears_the_list_for_each_query(session, view, client):
    @around(client, "query")
    async def query(original, self, view="list", **order):
        await original(self, view=view, **order)
        self.views[view].items = []


@caught_by("query-clears")
def keeps_the_list_for_each_query(session, view, client):
    @around(client, "query")
    async def query(original, self, view="list", **order):
        items = self.views[view].items
        await original(self, view=view, **order)
        self.views[view].items = items


def of_query(self, message):
    """Records each load that a query causes. Returns whether the message is about such a load."""
    self.queries = getattr(self, "queries", set())
    if message.get("cause") == "query":
        self.queries.add(message["load"])
    return message.get("load") in self.queries


@caught_by("query-fails")
def drops_items_of_a_failed_query(session, view, client):
    @changes_received(view, "loading")
    def loading(self, message):
        if of_query(self, message) and message["phase"] == "failed":
            self.items = []
        return message


@caught_by("query-supersedes")
def waits_for_a_query_that_was_replaced(session, view, client):
    @changes_received(view, "loading")
    def loading(self, message):
        return None if of_query(self, message) and message["phase"] == "cancelled" else message


@caught_by("query-each-time")
def asks_one_query_at_a_time(session, view, client):
    @around(session, "query")
    async def query(original, self, name, parameters, **options):
        if any(sent["type"] == "configure" for sent in self.outbox):
            return True
        return await original(self, name, parameters, **options)


@caught_by("query-repeated")
def asks_no_query_again(session, view, client):
    @around(session, "hello")
    def hello(original, self):
        self.outbox = [sent for sent in self.outbox if sent["type"] != "configure"]
        return original(self)


@caught_by("query-in-views")
def describes_its_first_query(session, view, client):
    @around(session, "query")
    async def query(original, self, name, *arguments, **options):
        before = self.views[name].parameters
        is_used = await original(self, name, *arguments, **options)
        self.views[name].parameters = before
        return is_used


@caught_by("query-refused")
def describes_a_refused_query(session, view, client):
    @changes_received(session, "error")
    def error(self, message):
        return message | {"seq": 0}


@caught_by("unknown-cause")
def drops_a_load_of_an_unknown_cause(session, view, client):
    @changes_received(view, "loading")
    def loading(self, message):
        return None if message.get("cause") == "moonlight" else message


@caught_by("kept-page-first")
def takes_the_kept_page_for_the_last(session, view, client):
    @around(view, "handle")
    def handle(original, self, message, *rest):
        is_of_query = of_query(self, message)
        items = self.items
        original(self, message, *rest)
        if message["type"] == "items" and is_of_query:
            if getattr(self, "has_page", False):
                self.items = items
            self.has_page = True


@caught_by("disappears-once")
def disappears_each_time_when_it_is_covered(session, view, client):
    @around(session, "disappear")
    async def disappear(original, self, name):
        self.covered.discard(name)
        await original(self, name)


@caught_by("appears-once")
def appears_each_time_when_it_is_opened(session, view, client):
    @around(session, "appear")
    async def appear(original, self, name):
        self.covered.add(name)
        await original(self, name)


@caught_by("disappeared-stays")
def disappears_on_each_connection(session, view, client):
    @around(session, "handle")
    def handle(original, self, message):
        original(self, message)
        if message["type"] == "welcome" and message.get("resumed"):
            for name in self.covered:
                self.keep({"type": "disappear", "view": name})


@caught_by("disappears-while-away")
def loses_what_happens_without_a_connection(session, view, client):
    @around(session, "send")
    async def send(original, self, message):
        if self.socket:
            await original(self, message)


@caught_by("disappeared-in-new-session")
def comes_into_sight_with_a_new_session(session, view, client):
    @around(session, "reset")
    def reset(original, self):
        original(self)
        self.covered = set()


@caught_by("initial-is-named")
def refreshes_beside_its_first_items(session, view, client):
    @around(session, "handle")
    def handle(original, self, message):
        original(self, message)
        if message["type"] == "welcome":
            self.keep({"type": "refresh", "view": "list"})


@caught_by("initial-items")
def clears_kept_items_for_their_refresh(session, view, client):
    @changes_received(view, "loading")
    def loading(self, message):
        if message.get("cause") == "stale":
            self.items = []
        return message


@caught_by("initial-load")
def hides_a_refresh_without_a_request(session, view, client):
    @changes_received(view, "update")
    def update(self, message):
        is_first = message.get("top", {}).get("cause") == "initial"
        return {name: value for name, value in message.items() if not (is_first and name == "top")}


@caught_by("polls-are-silent")
def shows_polls_as_refreshes(session, view, client):
    @changes_received(view, "loading")
    def loading(self, message):
        if message.get("cause") == "poll":
            self.edges["top"] = {"state": "refreshing"}
        return message


@caught_by("joined-is-no-load")
def takes_joined_for_the_beginning(session, view, client):
    @changes_received(view, "loading")
    def loading(self, message):
        return message | ({"phase": "began", "load": message.get("load")} if message["phase"] == "joined" else {})


@caught_by("newest-replaces")
def ends_its_refresh_with_a_cancelled_load(session, view, client):
    @changes_received(view, "loading")
    def loading(self, message):
        if message["phase"] == "cancelled" and message["kind"] == "refresh":
            self.edges["top"] = {"state": "idle"}
        return message


# Refresh at depth

@caught_by("pages-replace")
def appends_several_pages(session, view, client):
    @changes_received(view, "items")
    def items(self, message):
        return message | ({"mode": "append"} if "pages" in message else {})


@caught_by("pages-fail")
def clears_the_list_for_several_pages(session, view, client):
    @changes_received(view, "loading")
    def loading(self, message):
        if message["phase"] == "began" and "pages" in message:
            self.items = []
        return message


@caught_by("pages-of-a-window")
def keeps_items_before_the_window(session, view, client):
    @changes_received(view, "items")
    def items(self, message):
        is_window = message["mode"] == "replace" and message["offset"] > 0
        return message | ({"items": self.items[:message["offset"]] + message["items"]} if is_window else {})


def changes_anchors(change):
    """Replaces the function `anchors` by `change`, whose first argument is the original function."""
    original = anchors.anchors
    anchors.anchors = lambda before, after, index: change(original, before, after, index)


@caught_by("place-is-kept")
def names_no_item(session, view, client):
    changes_anchors(lambda *_: None)


@caught_by("place-is-kept")
def names_the_new_position_alone(session, view, client):
    @around(session, "send_together")
    async def send_together(original, self, *messages):
        await original(self, messages[-1])


@caught_by("place-of-a-neighbour")
def gives_up_an_item_that_is_gone(session, view, client):
    changes_anchors(lambda original, before, after, index: (
        original(before, after, index) if before[index][0] in dict(after) else None))


@caught_by("place-of-a-neighbour")
def names_the_first_item_that_is_left(session, view, client):
    changes_anchors(lambda original, before, after, index: (
        original(before, after, index if before[index][0] in dict(after) else 0)))


def lays_out_away_from_the_start():
    original = views.laid_out

    def laid_out(view, *rest):
        offset, view.offset = view.offset, 1
        messages = original(view, *rest)
        view.offset = offset
        return messages
    views.laid_out = laid_out


@caught_by("start-shows-the-new")
def keeps_its_place_at_the_start_too(session, view, client):
    lays_out_away_from_the_start()


@caught_by("pages-in-sight-first")
def goes_to_each_new_page(session, view, client):
    @changes_received(view, "items")
    def items(self, message):
        if message["mode"] == "append":
            self.offset += 100
        return message


@caught_by("backend-pages")
def answers_each_page(session, view, client):
    @changes_received(session, "load")
    def load(self, message):
        self.pages = message.get("pages", 1)
        return message

    @around(session, "send")
    async def send(original, self, message):
        for _ in range(self.pages if message["type"] == "loadFinished" else 1):
            await original(self, dict(message))


@caught_by("backend-pages-end")
def fails_if_a_page_is_missing(session, view, client):
    @changes_sent(session, "loadFinished")
    def finished(self, message):
        return message | ({"result": "failed"} if message.get("more") is False else {})


@caught_by("features-at-once")
def asks_its_query_late(session, view, client):
    late(session, "transmit", lambda _, frame: isinstance(frame, dict) and frame["type"] == "configure")


# Live items

def changes_operations(case, name, change):
    """Registers a mistake that changes each operation that is received."""
    def make(session, view, client):
        @changes_received(view, "items")
        def items(self, message):
            if "operations" not in message:
                return message
            return message | {"operations": [change(dict(operation)) for operation in message["operations"]]}
    make.__name__ = name
    caught_by(case)(make)


def renamed(operation, name, other):
    """Returns an operation in which a member has another name."""
    return {other if one == name else one: value for one, value in operation.items()}


for case, place, other in (
        ("live-insert-start", "start", "end"), ("live-insert-end", "end", "start"), ("live-move-start", "start", "end"),
        ("live-move-end", "end", "start"), ("live-at-end-of-reversed", "end", "start")):
    changes_operations(
        case, f"takes the {place} for the {other} in {case}".replace(" ", "_"),
        lambda operation, place=place, other=other: (
            operation | {"at": other} if operation.get("at") == place else operation))
for case, place, other in (
        ("live-insert-before", "before", "after"), ("live-insert-after", "after", "before"),
        ("live-move-before", "before", "after"), ("live-move-after", "after", "before")):
    changes_operations(
        case, f"takes {place} for {other} in {case}".replace(" ", "_"),
        lambda operation, place=place, other=other: renamed(operation, place, other))
changes_operations("live-update", "inserts_what_is_updated", lambda operation: (
    {"insert": operation["update"], "at": "start"} if "update" in operation else operation))
changes_operations("live-remove", "removes_the_item_before", lambda operation: (
    {"remove": "a"} if operation.get("remove") == "b" else operation))


@caught_by("live-in-order")
def applies_operations_backwards(session, view, client):
    original = patches.operated
    patches.operated = lambda old, operations, pointer: original(old, operations[::-1], pointer)


def keeps_its_base(case):
    """Registers a mistake: operations are shown, but the list to which patches are applied stays."""
    def make(session, view, client):
        @around(view, "handle")
        def handle(original, self, message, *rest):
            before = list(self.listing.received)
            original(self, message, *rest)
            if message["type"] == "items" and "operations" in message:
                self.listing.received = before
    make.__name__ = f"keeps_its_base_in_{case}"
    caught_by(case)(make)


keeps_its_base("live-after-live")
keeps_its_base("live-then-patch")


@caught_by("live-after-append")
def knows_only_its_first_page(session, view, client):
    @around(view, "handle")
    def handle(original, self, message, *rest):
        before = list(self.listing.received)
        original(self, message, *rest)
        if message["type"] == "items" and message["mode"] == "append":
            self.listing.received = before


def applies_what_fits(case):
    """Registers a mistake: operations that do not fit are left out."""
    def make(session, view, client):
        def patched(old, message, pointer):
            linked = patches.LinkedItems(old, pointer)
            for operation in message["operations"]:
                linked.apply(operation)
            return linked.listed()
        listings.patched = patched
    make.__name__ = f"applies_what_fits_in_{case}"
    caught_by(case)(make)


for case in ("live-unknown-key", "live-known-insert", "live-unknown-neighbour", "live-count"):
    applies_what_fits(case)


@caught_by("live-ambiguous-key")
def takes_the_first_of_equal_keys(session, view, client):
    def operated(old, operations, pointer):
        items = list(old)
        for operation in operations:
            place = next(
                index for index, item in enumerate(items) if value_at(item, pointer) == operation["remove"])
            del items[place]
        return items
    patches.operated = operated


@caught_by("live-key-value")
def takes_keys_for_text(session, view, client):
    original = patches.key_of
    patches.key_of = lambda value: original(value if value is None else str(value))


@caught_by("live-then-nothing-until-replace")
def applies_operations_before_the_replace(session, view, client):
    @around(view, "handle")
    def handle(original, self, message, *rest):
        self.listing.awaits_list = False
        original(self, message, *rest)


@caught_by("live-received")
def does_not_count_operations_as_received(session, view, client):
    @around(session, "handle")
    def handle(original, self, message):
        before = dict(self.received)
        original(self, message)
        if "operations" in message:
            self.received = before


@caught_by("live-after-resume")
def forgets_its_list_when_it_resumes(session, view, client):
    @around(view, "attached")
    def attached(original, self, *rest):
        original(self, *rest)
        self.listing.received = []


@caught_by("live-is-no-load")
def ends_its_loads_with_operations(session, view, client):
    @changes_received(view, "items")
    def items(self, message):
        if "operations" in message:
            self.loads = []
        return message


@caught_by("live-place-is-kept")
def shows_new_items_wherever_it_is(session, view, client):
    changes_anchors(lambda *_: None)


@caught_by("live-start-shows-the-new")
def keeps_its_place_over_new_items(session, view, client):
    lays_out_away_from_the_start()


# Edits

@caught_by("edit-is-sent")
def sends_an_edit_twice(session, view, client):
    @around(view, "send_edit")
    async def send_edit(original, self, message):
        await original(self, message)
        await original(self, message)


@caught_by("edit-is-shown-at-once")
def shows_no_edit(session, view, client):
    view.edited = lambda self, items, operation: items


def shows_no_edits_of_a_kind(case, kind):
    """Registers a mistake: edits of this kind are not shown before their answer."""
    def make(session, view, client):
        @around(view, "edited")
        def edited(original, self, items, operation):
            return items if kind in operation else original(self, items, operation)
    make.__name__ = f"waits_for_the_answer_to_a_{kind}"
    caught_by(case)(make)


shows_no_edits_of_a_kind("edit-remove-is-shown", "remove")
shows_no_edits_of_a_kind("edit-move-is-shown", "move")


def reverses_its_edits(view):
    @around(view, "edit")
    async def edit(original, self, *rest):
        await original(self, *rest)
        self.edits = dict([*list(self.edits.items())[-1:], *list(self.edits.items())[:-1]])


@caught_by("edits-in-order")
def applies_edits_backwards(session, view, client):
    reverses_its_edits(view)


@caught_by("edit-names-differ")
def gives_each_edit_the_same_name(session, view, client):
    view.new_name = lambda self: "edit-0001"


@caught_by("edit-is-confirmed")
def shows_its_item_twice(session, view, client):
    @around(view, "edited")
    def edited(original, self, items, operation):
        return [operation["insert"], *items] if "insert" in operation else original(self, items, operation)
    view.answered = lambda self, message: None


@caught_by("edit-is-dropped")
def keeps_confirmed_edits(session, view, client):
    view.answered = lambda self, message: None


def ignores_answers(case, name, is_ignored):
    """Registers a mistake: some answers are ignored."""
    def make(session, view, client):
        @around(view, "answered")
        def answered(original, self, message):
            if not is_ignored(message):
                original(self, message)
    make.__name__ = name
    caught_by(case)(make)


ignores_answers("edit-is-rolled-back", "keeps_what_is_rolled_back", lambda message: message["result"] == "rolledBack")
ignores_answers("edit-is-refused", "keeps_what_is_refused", lambda message: message.get("code") == "tooManyEdits")
ignores_answers("edit-is-replaced", "keeps_what_is_replaced", lambda message: message["result"] == "replaced")
ignores_answers("undo-names-the-edit", "keeps_what_is_undone", lambda message: message.get("code") == "undone")


def drops_all_edits(case, type_="edited"):
    """Registers a mistake: a message of this type ends all edits."""
    def make(session, view, client):
        @changes_received(session, type_)
        def edited(self, message):
            for one in self.views.values():
                one.edits.clear()
            return message
    make.__name__ = f"drops_all_edits_in_{case}"
    caught_by(case)(make)


drops_all_edits("edit-answers-are-apart")
drops_all_edits("edit-of-a-strange-name")
drops_all_edits("edit-that-has-not-arrived", "error")


@caught_by("edit-over-a-new-list")
def drops_its_edits_with_a_new_list(session, view, client):
    @changes_received(view, "items")
    def items(self, message):
        if message["mode"] == "replace":
            self.edits.clear()
        return message


@caught_by("edit-over-operations")
def applies_operations_to_its_edited_list(session, view, client):
    @changes_received(view, "items")
    def items(self, message):
        if "operations" in message:
            self.listing.received = self.items
        return message


@caught_by("edit-that-does-not-fit")
def gives_up_what_does_not_fit(session, view, client):
    @around(view, "handle")
    def handle(original, self, message, *rest):
        original(self, message, *rest)
        self.edits = {
            name: edit for name, edit in self.edits.items()
            if self.edited(self.listing.shown, edit["operation"]) is not self.listing.shown}


@caught_by("edit-of-a-known-key")
def moves_a_known_item(session, view, client):
    @around(view, "edited")
    def edited(original, self, items, operation):
        if "insert" in operation and self.has_key(items, operation["insert"]):
            return [operation["insert"], *[item for item in items if item["id"] != operation["insert"]["id"]]]
        return original(self, items, operation)


@caught_by("edit-is-repeated")
def never_repeats_an_edit(session, view, client):
    async def repeat_edits(self):
        pass
    view.repeat_edits = repeat_edits


@caught_by("edit-is-repeated-each-time")
def repeats_an_edit_on_one_connection(session, view, client):
    @around(view, "repeat_edits")
    async def repeat_edits(original, self):
        if self.must_repeat and self.edits and self.session.socket:
            self.repetitions = getattr(self, "repetitions", 0) + 1
        if getattr(self, "repetitions", 0) < 2:
            await original(self)


@caught_by("edit-is-repeated-once")
def repeats_an_edit_twice(session, view, client):
    @around(view, "repeat_edits")
    async def repeat_edits(original, self):
        if self.must_repeat and self.session.socket:
            await original(self)
            self.must_repeat = True
        await original(self)


@caught_by("edit-in-a-fresh-session")
def gives_up_its_edits_with_its_session(session, view, client):
    @around(view, "attached")
    def attached(original, self, message, is_back):
        if not is_back:
            self.edits.clear()
        original(self, message, is_back)


@caught_by("answered-edit-is-not-repeated")
def repeats_answered_edits(session, view, client):
    @around(view, "answered")
    def answered(original, self, message):
        edit = self.edits.get(message["edit"])
        original(self, message)
        self.edits["kept"] = edit | {"operation": {"remove": "nothing"}}


@caught_by("edit-without-a-connection")
def ignores_its_user_without_a_connection(session, view, client):
    @around(view, "edit")
    async def edit(original, self, *rest):
        if self.session.socket:
            await original(self, *rest)


@caught_by("repeated-edit-is-marked")
def never_marks_an_edit_as_repeated(session, view, client):
    @around(view, "send_edit")
    async def send_edit(original, self, message):
        self.sent_edits = set()
        await original(self, message)


@caught_by("first-edit-is-not-marked")
def marks_each_edit_as_repeated(session, view, client):
    @around(view, "send_edit")
    async def send_edit(original, self, message):
        self.sent_edits = {message["edit"]}
        await original(self, message)


@caught_by("edit-at-the-start-of-reversed")
def inserts_at_the_wrong_end_of_a_chat(session, view, client):
    @around(view, "edited")
    def edited(original, self, items, operation):
        options, self.options = self.options, {}
        result = original(self, items, operation)
        self.options = options
        return result


@caught_by("edit-with-delay")
def sends_no_delay(session, view, client):
    @around(view, "edit")
    async def edit(original, self, operation, *_):
        await original(self, operation)


@caught_by("undo-names-the-edit")
def undoes_another_edit(session, view, client):
    async def undo(self):
        await self.session.send_once(self.message("undo", edit="another-edit"))
    view.undo = undo


# Rows

@caught_by("rows-are-placeholders")
def shows_no_placeholders(session, view, client):
    @around(view, "place")
    def place(original, self, message):
        original(self, message)
        self.placed = [item for item in self.placed if item]


def changes_pages(case, name, change):
    """Registers a mistake: a page is changed before its items are put into their rows."""
    def make(session, view, client):
        @around(view, "place")
        def place(original, self, message):
            original(self, message | change(self, message))
    make.__name__ = name
    caught_by(case)(make)


changes_pages("rows-from-a-position", "puts_each_list_at_the_start", lambda view, message: (
    {"offset": 0} if message["mode"] == "replace" else {}))
changes_pages("fill-has-its-rows", "puts_each_page_at_the_start", lambda view, message: {"offset": 0})
changes_pages("fill-of-a-short-page", "fills_short_pages_up", lambda view, message: (
    {"items": (message["items"] * 5)[:5]} if message["mode"] == "fill" else {}))
changes_pages("fills-in-any-order", "appends_pages", lambda view, message: (
    {"offset": sum(item is not None for item in view.placed)} if message["mode"] == "fill" else {}))
changes_pages("positions-from-one", "counts_positions_from_zero", lambda view, message: {
    "offset": message["offset"] + view.first_position})
changes_pages("replace-drops-rows", "keeps_rows_over_a_new_list", lambda view, message: (
    {"mode": "fill"} if view.placed else {}))


@caught_by("rows-become-fewer")
def keeps_rows_that_are_gone(session, view, client):
    view.resize_rows = lambda self, count: None


@caught_by("rows-become-more")
def never_gets_more_rows(session, view, client):
    @around(view, "resize_rows")
    def resize_rows(original, self, count):
        original(self, min(count, len(self.placed)))


@caught_by("no-total-is-sequential")
def keeps_its_rows_without_a_total(session, view, client):
    @changes_received(view, "items")
    def items(self, message):
        return message | {"total": message.get("total", 12)}


def reports_rows(case, name, change):
    """Registers a mistake: the rows in sight are reported differently, or not at all."""
    def make(session, view, client):
        @around(view, "with_rows")
        def with_rows(original, self, message):
            return change(self, original(self, message))
    make.__name__ = name
    caught_by(case)(make)


def without_rows(message):
    return {name: value for name, value in message.items() if name != "visible"}


reports_rows("layout-reports-rows", "reports_no_rows_after_a_layout", lambda view, message: (
    without_rows(message) if message["type"] == "geometry" else message))
reports_rows("rest-reports-rows", "reports_no_rows_at_rest", lambda view, message: (
    without_rows(message) if message.get("phase") == "idle" else message))
reports_rows("drag-reports-rows", "reports_no_rows_under_a_finger", lambda view, message: (
    without_rows(message) if message.get("phase") == "dragging" else message))
reports_rows("rows-in-part", "leaves_out_rows_in_part", lambda view, message: (
    message | {"visible": {"first": message["visible"]["first"] + 1, "last": message["visible"]["last"]}}
    if "visible" in message else message))
reports_rows("rows-end-with-the-list", "reports_the_last_row_as_the_first", lambda view, message: (
    message | {"visible": {"first": message["visible"]["last"], "last": message["visible"]["first"]}}
    if "visible" in message else message))
reports_rows("rows-without-the-feature", "reports_rows_without_the_feature", lambda view, message: (
    message | {"visible": {"first": 0, "last": 7}}))


@caught_by("rows-after-a-resume")
def forgets_its_rows_when_it_resumes(session, view, client):
    @around(view, "attached")
    def attached(original, self, *rest):
        original(self, *rest)
        self.placed = self.placed and [None] * len(self.placed)


# The refresh of one item

@caught_by("refresh-of-one-item-is-sent")
def refreshes_the_list_for_one_item(session, view, client):
    @around(view, "send_edit")
    async def send_edit(original, self, message):
        await original(self, message)
        await self.session.send_once(self.message("refresh"))


def shows_a_refresh_as_a_removal(view):
    @around(view, "edited")
    def edited(original, self, items, operation):
        return original(self, items, {"remove": operation["refresh"]} if "refresh" in operation else operation)


@caught_by("refreshed-item-stays")
def hides_an_item_until_it_is_refreshed(session, view, client):
    shows_a_refresh_as_a_removal(view)


@caught_by("refreshed-item-is-gone")
def keeps_an_item_that_is_gone(session, view, client):
    @changes_received(view, "items")
    def items(self, message):
        return None if self.edits and "operations" in message else message


@caught_by("refresh-of-one-item-fails")
def removes_an_item_that_cannot_be_refreshed(session, view, client):
    shows_a_refresh_as_a_removal(view)
    view.answered = lambda self, message: None


@caught_by("refresh-of-one-item-is-repeated")
def repeats_no_refresh_of_one_item(session, view, client):
    @around(view, "repeat_edits")
    async def repeat_edits(original, self):
        self.edits = {name: edit for name, edit in self.edits.items() if "refresh" not in edit["operation"]}
        await original(self)


# Sections

def finds_sections(case, name):
    """Registers the decorated function as a mistake. It returns the sections of a view, which has the correct ones as
    `right_sections`.
    """
    def register(function):
        def make(session, view, client):
            view.right_sections = model_client.View.sections
            view.sections = property(function)
        make.__name__ = name
        caught_by(case)(make)
        return function
    return register


@finds_sections("sections-of-a-list", "counts_headers_as_items")
def counting_headers(self):
    return [Section(one.value, one.start + index, one.count) for index, one in enumerate(self.right_sections)]


@finds_sections("no-sections-without-a-key", "chooses_its_section_key")
def choosing_the_key(self):
    return sections_of(self.items, self.section_key or "/day")


@finds_sections("section-over-two-pages", "begins_a_section_with_each_page")
def of_each_page(self):
    return sections_of(self.items[:2], "/day") + [
        Section(one.value, one.start + 2, one.count) for one in sections_of(self.items[2:], "/day")]


@finds_sections("sections-that-are-apart", "joins_sections_that_are_apart")
def joined(self):
    counts = collections.Counter()
    for one in self.right_sections:
        counts[one.value] += one.count
    return [
        Section(value, next(one.start for one in self.right_sections if one.value == value), count)
        for value, count in counts.items()]


@finds_sections("sections-of-other-kinds", "takes_values_for_text")
def as_text(self):
    return [Section(json.dumps(one.value).strip('"'), one.start, one.count) for one in self.right_sections]


@finds_sections("sections-of-other-kinds", "takes_true_for_1")
def joining_equal_numbers(self):
    sections = []
    for one in self.right_sections:
        if sections and sections[-1].value == one.value:
            sections[-1] = Section(sections[-1].value, sections[-1].start, sections[-1].count + one.count)
        else:
            sections.append(one)
    return sections


@finds_sections("sections-without-a-value", "leaves_out_items_without_a_value")
def with_a_value(self):
    return [one for one in self.right_sections if one.value is not None]


@finds_sections("section-key-is-a-pointer", "takes_the_pointer_for_a_name")
def by_name(self):
    name = self.section_key[1:]
    return sections_of([{"day": item.get(name)} for item in self.items], "/day")


def keeps_sections(case, name, does_keep):
    """Registers a mistake: the sections are not computed anew after some messages."""
    def make(session, view, client):
        view.right_sections = model_client.View.sections
        view.sections = property(lambda self: getattr(self, "kept_sections", None) or self.right_sections)

        @around(view, "handle")
        def handle(original, self, message, *rest):
            if does_keep(message):
                self.kept_sections = self.right_sections
            original(self, message, *rest)
    make.__name__ = name
    caught_by(case)(make)


keeps_sections("sections-after-operations", "keeps_its_sections_over_operations", lambda message: "operations" in message)
keeps_sections("sections-after-a-patch", "keeps_its_sections_over_a_patch", lambda message: "runs" in message)
keeps_sections(
    "refreshed-item-has-another-section", "keeps_the_section_of_a_refreshed_item",
    lambda message: any("update" in one for one in message.get("operations", [])))


@finds_sections("sections-with-an-edit", "leaves_edits_out_of_its_sections")
def of_the_server(self):
    return sections_of(self.listing.shown, "/day")


@caught_by("sections-end-with-their-key")
def keeps_a_section_key_that_is_gone(session, view, client):
    @changes_received(view, "attached")
    def attached(self, message):
        return {"sectionKey": self.section_key} | message if self.section_key else message


@finds_sections("placeholders-have-no-section", "gives_placeholders_a_section")
def with_placeholders(self):
    return sections_of([{} if item is None else item for item in self.items], "/day")


# Resuming

@caught_by("stays-away-4002")
def comes_back_after_its_fault(session, view, client):
    sessions.is_final = lambda code: False


@caught_by("lost-comes-back")
def comes_back_at_once(session, view, client):
    timing.Backoff.next = lambda self, **_: 0


@caught_by("back-off-grows")
def never_waits_longer(session, view, client):
    timing.Backoff.next = lambda self, **_: 0.12


@caught_by("comes-back-4101")
def stays_away_for_nothing(session, view, client):
    timing.Backoff.next = lambda self, **_: 600


@caught_by("bye")
def leaves_without_a_word(session, view, client):
    async def close(self):
        self.is_closed = True
        await self.socket.close()
    session.close = close


@caught_by("resume-names-session")
def tells_the_last_ack(session, view, client):
    @around(session, "handle")
    def handle(original, self, message):
        original(self, message)
        self.ack = message.get("ack", self.ack)


@caught_by("token-rotates")
def keeps_the_first_token(session, view, client):
    @changes_received(session, "welcome")
    def welcome(self, message):
        return message | ({"token": self.resume["token"]} if self.resume else {})


@caught_by("received-loads")
def tells_the_first_load(session, view, client):
    @around(session, "handle")
    def handle(original, self, message):
        before = dict(self.received)
        original(self, message)
        self.received |= before


@caught_by("snapshot-returned")
def keeps_the_first_snapshot(session, view, client):
    @changes_received(session, "snapshot")
    def snapshot(self, message):
        return None if self.snapshot else message


@caught_by("snapshot-void")
def keeps_a_void_snapshot(session, view, client):
    @changes_received(session, "snapshot")
    def snapshot(self, message):
        return message if message["sealed"] else None


@caught_by("intent-repeated")
def says_nothing_again(session, view, client):
    @around(session, "hello")
    def hello(original, self):
        self.outbox = []
        return original(self)


@caught_by("handled-not-repeated")
def says_all_again(session, view, client):
    @around(session, "handle")
    def handle(original, self, message):
        outbox = list(self.outbox)
        original(self, message)
        self.outbox = outbox


@caught_by("silent-until-welcome")
def speaks_before_its_answer(session, view, client):
    @around(session, "transmit")
    async def transmit(original, self, socket, frame):
        await original(self, socket, frame)
        self.socket = socket


@caught_by("frame-is-bounded")
def says_all_in_one_frame(session, view, client):
    session.frames = lambda self, messages: iter([list(messages)] if messages else [])


@caught_by("items-stay")
def drops_items_when_it_is_back(session, view, client):
    @changes_received(view, "attached")
    def attached(self, message):
        self.items = []
        return message


@caught_by("load-ended-away")
def waits_for_what_ended_meanwhile(session, view, client):
    @around(view, "handle")
    def handle(original, self, message, *rest):
        loads = self.loads
        original(self, message, *rest)
        if message["type"] == "attached":
            self.loads = loads


@caught_by("numbers-go-on")
def begins_its_numbers_anew(session, view, client):
    @around(session, "welcome")
    def welcome(original, self, message):
        original(self, message)
        self.seq = 0


@caught_by("emptied-by-reset")
def has_what_was_given_up(session, view, client):
    @changes_received(session, "update")
    def update(self, message):
        self.returning = set()
        return message


@caught_by("fresh-gives-back")
def keeps_a_room_that_is_void(session, view, client):
    @around(view, "begin")
    def begin(original, self):
        inset = getattr(self, "inset", {"top": 0, "bottom": 0})
        original(self)
        self.inset = inset


@caught_by("fresh-asks-anew")
def asks_a_fresh_session_for_nothing(session, view, client):
    @around(session, "handle")
    def handle(original, self, message):
        original(self, message)
        if message["type"] == "welcome":
            self.welcome_count = getattr(self, "welcome_count", 0) + 1

    @around(session, "send")
    async def send(original, self, message):
        if getattr(self, "welcome_count", 0) < 2:
            await original(self, message)


@caught_by("fresh-forgets")
def has_what_another_session_gave(session, view, client):
    @around(session, "reset")
    def reset(original, self):
        received = getattr(self, "received", {})
        original(self)
        self.received = received


@caught_by("heartbeat")
def never_pings(session, view, client):
    async def send_pings(self, socket):
        await asyncio.sleep(600)
    session.send_pings = send_pings


@caught_by("unanswered-ping")
def waits_for_ever_for_its_answer(session, view, client):
    sessions.PONG_SECONDS = 600


def main(name):
    _, make = MISTAKES[name]
    view = type("View", (model_client.View,), {})
    session = type("Session", (model_client.Session,), {"view_kind": view})
    client = type("Client", (model_client.Client,), {"session_kind": session})
    make(session, view, client)
    asyncio.run(conform.drive(os.environ["REFRESH_DRIVER"], client, f"one that {name}"))


if __name__ == "__main__":
    if sys.argv[1:] == ["--list"]:
        print(json.dumps({name: case for name, (case, _) in MISTAKES.items()}))
    elif len(sys.argv) == 2 and sys.argv[1] in MISTAKES:
        main(sys.argv[1])
    else:
        sys.exit(__doc__)
