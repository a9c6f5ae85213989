"""The names of enumerations and structures that have no name in the schema, by the place where they occur.

A place is the path of the value in the schema: `client.scroll.phase`. `[]` is an element of an array, and `{}` is a
value of an object with free names. The reader fails if a place has no name, so that a new enumeration gets one here.
"""

# By name, the first place and the meaning. Other places with the same values share the enumeration, unless they are
# in this table themselves.
ENUMERATIONS = {
    "Edge": ("edge", "An edge of a view."),
    "IntentCause": ("intentCause", "The cause of a client's message."),
    "Cause": ("cause", "The cause of a change or of a load."),
    "DiagnosticCode": ("diagnosticCode", "The code of a `diagnostic`."),
    "FaultCode": ("faultCode", "The code of an `error`, or of a load that failed."),
    "Axis": ("client.attach.axis", "The axis along which a view scrolls."),
    "Attention": ("client.attach.attention", "The messages about a list's movement that a view can act on."),
    "Initial": ("client.attach.initial", "How a view gets its first items."),
    "Direction": ("client.geometry.direction", "The direction of text."),
    "ScrollPhase": ("client.scroll.phase", "The phase of a list's movement."),
    "PanPhase": ("client.pan.phase", "The phase of a finger's movement."),
    "PredictedState": ("client.scroll.predicted", "The state that a client shows before the daemon confirms it."),
    "LoadResult": ("client.loadFinished.result", "How a load of a client that is the backend has ended."),
    "ShownItems": ("client.configure.shown", "What a client shows until the first page of a query arrives."),
    "FreshReason": ("daemon.welcome.reason", "Why a session is a new one."),
    "Haptic": ("daemon.update.haptic[]", "A haptic cue."),
    "RevealResult": ("daemon.update.revealed", "How a `reveal` has ended."),
    "Announcement": ("daemon.update.announce[]", "A cue for a screen reader."),
    "LoadKind": ("daemon.load.kind", "What a load is for."),
    "LoadTrigger": ("daemon.load.trigger", "What started a load."),
    "LoadPhase": ("daemon.loading.phase", "The phase of a load."),
    "ItemsMode": ("daemon.items.mode", "How a page changes the list."),
    "ListEnd": ("daemon.items.operations[].at", "An end of a list: its start is at the refresh edge."),
    "PagingAccess": ("pagingOptions.access", "Which pages of its feed a view requests."),
    "EditListEnd": ("client.edit.operation.at", "The end of a list at which the user puts an item."),
    "EditKind": ("daemon.attached.edits[]", "What an edit does to an item."),
    "EditRefusal": ("daemon.edited.code", "Why the daemon has refused an edit."),
    "SnapshotReason": ("daemon.snapshot.reason", "Why a snapshot cannot be sealed."),
    "Trigger": ("edgeOptions.trigger", "What makes an edge fire."),
    "Intent": ("edgeOptions.intents[]", "A cause that may fire an edge."),
    "CancelAction": ("edgeOptions.onCancel", "What a cancelled gesture does."),
    "OtherLoadPolicy": ("edgeOptions.whileLoading", "What happens if the other edge already loads."),
    "Closing": ("edgeOptions.closing", "When the room of the indicator closes."),
    "ChangePolicy": ("edgeOptions.changes", "How a change of the feed is shown."),
    "Arrivals": ("edgeOptions.arrivals", "What happens to items that arrive at the start of a list."),
    "Repeat": ("edgeOptions.repeat", "What a refresh does while a refresh runs."),
    "Depth": ("edgeOptions.depth", "The pages that a refresh requests."),
    "LoadMoreMode": ("edgeOptions.mode", "The offset that counts for loading more."),
    "Rearm": ("edgeOptions.rearm", "When a load-more edge can fire again."),
    "PagingStyle": ("pagingOptions.style", "How requests select a page."),
    "Damping": ("panOptions.damping", "How a list resists a pull."),
    "Deceleration": ("panOptions.deceleration", "How fast a released list slows down."),
    "FramesMode": ("frames", "How a client draws its indicators."),
    "Motion": ("frames.motion", "Whether the user prefers less motion."),
    "RefreshState": ("refreshEdge.state", "The state of a refresh edge."),
    "LoadMoreState": ("loadMoreEdge.state", "The state of a load-more edge."),
    "Role": ("edgeUpdate.role", "The role of an edge."),
    "EdgeState": ("edgeUpdate.state", "The state of an edge of either role."),
    "EdgeResult": ("edgeUpdate.result", "How the load of an edge has ended."),
    "Curve": ("inset.curve", "The curve of a timeline."),
    "FloorState": ("floorUpdate.state", "The state of the second floor."),
    "Fires": ("edgeLaw.fires", "When a `local` client shows that an edge has fired."),
}

# Enumerations whose values are spread over the forms of a message.
SPREAD = {"ItemsMode"}

# By place, the name and the meaning.
STRUCTURES = {
    "client.hello.resume": ("Resume", "The session that `hello` resumes."),
    "daemon.welcome.limits": ("Limits", "The limits of the daemon."),
    "daemon.update.list": ("ListState", "The number of items of a list, and whether there are more."),
    "daemon.items.runs[]": ("ListRun", "A part of a list that a patch states."),
    "daemon.items.operations[]": ("ItemOperation", "What happens to one item of a list."),
    "client.edit.operation": ("EditOperation", "What the user does to one item of a list."),
    "bars.navigation": ("NavigationBar", "The navigation bar above a view."),
    "bars.search": ("SearchBar", "The search bar above a view."),
    "frame{}": ("LayerChange", "Changed properties of one layer of an indicator."),
    "law.resistance": ("Resistance", "By edge, the points of the curve by which a list resists a pull."),
    "frames": ("FrameOptions", "How a client draws its indicators, in detail."),
}
