package refreshd.client;

import java.net.URI;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/**
 * A daemon that checks the rules of docs/protocol.md and docs/coming-back.md for the messages that
 * it receives. Frames wait on the line until the test delivers them.
 */
final class ModelDaemon implements Transport {
    private static final int USUAL_STRING_BYTES = 1024;

    /** A view of a session: its feed states which attachment it is of. */
    private static final class View {
        final String feed;
        final Set<String> handled = new HashSet<>();
        /** The edits that have arrived since the view was attached. */
        final Set<String> edits = new HashSet<>();
        String load = null;
        String query;
        boolean isEnabled;

        View(JsonObject body) {
            feed = body.string("feed");
            query = query(body, "");
            JsonObject top = body.object("top");
            isEnabled = top == null || top.flag("enabled", true);
        }

        private View(View other) {
            feed = other.feed;
        }

        static String query(JsonObject message, String otherwise) {
            JsonObject parameters = message.object("parameters");
            return parameters == null || !parameters.has("q") ? otherwise : parameters.string("q");
        }

        View copy() {
            View copy = new View(this);
            copy.load = load;
            copy.query = query;
            copy.isEnabled = isEnabled;
            copy.handled.addAll(handled);
            return copy;
        }
    }

    /** A session, or a sealed copy of one. */
    private static final class State {
        final String name;
        final List<String> tokens = new ArrayList<>();
        final Map<String, View> views = new LinkedHashMap<>();
        final Set<String> handled = new HashSet<>();
        /** All messages of the session by their `seq`, also those that were lost or repeated. */
        final Map<Long, String> numbers;
        long ack = 0;

        State(String name, Map<Long, String> numbers) {
            this.name = name;
            this.numbers = numbers;
        }

        State copy() {
            State copy = new State(name, numbers);
            copy.tokens.addAll(tokens);
            views.forEach((view, state) -> copy.views.put(view, state.copy()));
            copy.handled.addAll(handled);
            copy.ack = ack;
            return copy;
        }
    }

    /** One connection. */
    static final class Line implements Connection {
        final Listener listener;
        final Deque<String> received = new ArrayDeque<>();
        final Deque<String> sent = new ArrayDeque<>();
        boolean isOpen = false;
        boolean isOver = false;
        boolean isRefused = false;
        /** Views that were not attached, because their query is invalid. */
        private final Set<String> refusedViews = new HashSet<>();
        /** The requests about these views, which count as handled. */
        private final Set<String> ineffective = new HashSet<>();
        private State session = null;
        private long lastSeq = 0;

        Line(Listener listener) {
            this.listener = listener;
        }

        @Override
        public void send(String text) {
            received.add(text);
        }

        @Override
        public void close(int code) {
            isOver = true;
        }

        @Override
        public void abort() {
            isOver = true;
        }
    }

    final List<Line> lines = new ArrayList<>();
    private final Random random;
    private final Map<String, State> sessions = new HashMap<>();
    private final Map<String, State> snapshots = new HashMap<>();
    /** The edits that the backend has performed, by name. */
    final Set<String> performed = new HashSet<>();
    private final Set<String> unknowable = new HashSet<>();
    private int names = 0;
    private int stringBytesMax = USUAL_STRING_BYTES;

    ModelDaemon(Random random) {
        this.random = random;
    }

    @Override
    public Connection open(URI url, String subprotocol, Listener listener) {
        Line line = new Line(listener);
        // No client can know that requests were ineffective if the answers are lost.
        lines.forEach(before -> unknowable.addAll(before.ineffective));
        lines.add(line);
        return line;
    }

    Line line() {
        return lines.get(lines.size() - 1);
    }

    /** The requests that the session of the newest connection has handled. */
    Set<String> handled() {
        Set<String> handled = new HashSet<>(unknowable);
        handled.addAll(line().session.handled);
        return handled;
    }

    boolean hasLine() {
        return !lines.isEmpty() && !line().isOver;
    }

    /** The state of a view, as the client must have it. */
    String state(String name) {
        View view = line().session.views.get(name);
        return view == null ? "none" : view.feed + "," + view.query + "," + view.isEnabled;
    }

    /** Whether the present attachment of a view has handled a request. */
    boolean hasHandled(String name, String id) {
        return line().session.views.get(name).handled.contains(id) || unknowable.contains(id);
    }

    /** Restarts: only what is sealed outlives this. The limits may be others. */
    void restart() {
        sessions.clear();
        stringBytesMax = random.nextBoolean() ? 64 : USUAL_STRING_BYTES;
    }

    /** Handles the oldest frame of a line. */
    void handle(Line line) {
        JsonObject[] frame;
        try {
            frame = messages(line.received.remove());
        } catch (JsonException notJSON) {
            throw new AssertionError(notJSON);
        }
        require(frame.length <= 64, "batchTooLong");
        List<JsonObject> answers = new ArrayList<>();
        if (line.session == null) {
            require("hello".equals(frame[0].string("type")), "helloRequired: " + frame[0]);
            if (isTooLong(frame)) {
                require(!line.isRefused, "hello alone is refused too: " + frame[0]);
                line.isRefused = true;
                answers.add(message("error", null).put("code", "stringTooLong")
                        .put("message", "").put("temporary", false).build());
            } else {
                greet(line, frame, answers);
            }
        } else {
            require(!isTooLong(frame), "stringTooLong: " + List.of(frame));
            for (JsonObject message : frame) {
                handle(line, message, false, answers);
            }
        }
        if (!answers.isEmpty()) {
            line.sent.add(Json.write(new ArrayList<Object>(answers)));
        }
    }

    private static JsonObject[] messages(String text) throws JsonException {
        Object frame = Json.parse(text);
        return frame instanceof List ? ((List<?>) frame).toArray(new JsonObject[0])
                : new JsonObject[] {(JsonObject) frame};
    }

    private boolean isTooLong(JsonObject[] frame) {
        for (JsonObject message : frame) {
            String id = message.string("id");
            if (id != null && id.length() > stringBytesMax) {
                return true;
            }
        }
        return false;
    }

    private static void require(boolean condition, String violation) {
        if (!condition) {
            throw new AssertionError(violation);
        }
    }

    private static JsonObject.Builder message(String type, String view) {
        return JsonObject.builder().put("type", type).putIfPresent("view", view);
    }

    // hello

    private void greet(Line line, JsonObject[] frame, List<JsonObject> answers) {
        JsonObject resume = frame[0].object("resume");
        Map<String, JsonObject> bodies = new LinkedHashMap<>();
        for (Object body : frame[0].array("views")) {
            bodies.put(((JsonObject) body).string("view"), (JsonObject) body);
        }
        State session = resume == null ? null : resumed(resume, bodies);
        boolean isResumed = session != null;
        if (session == null) {
            session = new State("s" + ++names, new HashMap<>());
        }
        line.session = session;
        sessions.put(session.name, session);
        session.tokens.add("t" + ++names);
        answers.add(message("welcome", null).put("session", session.name)
                .put("token", session.tokens.get(session.tokens.size() - 1))
                .put("resumed", isResumed).put("ack", session.ack).put("time", 0)
                .put("heartbeat", 25_000)
                .put("features", List.of("unread", "query", "patch", "live", "edits"))
                .put("limits", JsonObject.builder().put("stringBytesMax", stringBytesMax).build())
                .build());
        session.views.keySet().retainAll(bodies.keySet());
        bodies.forEach((name, body) -> greet(line, name, body, isResumed, answers));
        for (int index = 1; index < frame.length; index++) {
            handle(line, frame[index], true, answers);
        }
        if (isResumed) {
            for (Map.Entry<String, View> view : session.views.entrySet()) {
                String query = View.query(bodies.get(view.getKey()), "");
                view.getValue().query = isInvalid(query) ? view.getValue().query : query;
            }
            answers.add(sealed(session));
        }
    }

    private void greet(Line line, String name, JsonObject body, boolean isResumed,
            List<JsonObject> answers) {
        State session = line.session;
        View view = session.views.get(name);
        if (view == null && isInvalid(View.query(body, ""))) {
            line.refusedViews.add(name);
            answers.add(invalidParameter(name).build());
            return;
        }
        boolean isNew = view == null;
        view = isNew ? new View(body) : view;
        session.views.put(name, view);
        require(view.feed.equals(body.string("feed")), body + " continues " + view.feed);
        view.edits.clear();
        answers.add(attached(name, session).putIfPresent("inset", isNew
                ? JsonObject.builder().put("top", 0).build() : null).build());
        if (isResumed && !isNew) {
            answers.add(message("update", name).put("ack", session.ack)
                    .putIfPresent("list", view.load == null ? null
                            : JsonObject.builder().put("count", 1).build()).build());
        }
    }

    private static JsonObject.Builder attached(String name, State session) {
        return message("attached", name).put("ack", session.ack).put("itemKey", "/id")
                .put("edits", List.of("insert"));
    }

    private static boolean isInvalid(String query) {
        return query.startsWith("bad");
    }

    private static JsonObject.Builder invalidParameter(String view) {
        return message("error", view).put("code", "invalidParameter").put("message", "")
                .put("temporary", false).put("field", "parameters");
    }

    /** The session that a client resumes: the kept one, or else that of its snapshot. */
    private State resumed(JsonObject resume, Map<String, JsonObject> bodies) {
        List<Object> received = resume.array("received");
        State kept = sessions.get(resume.string("session"));
        List<String> tokens = kept == null ? List.of() : kept.tokens;
        boolean isCurrent = tokens.subList(Math.max(0, tokens.size() - 2), tokens.size())
                .contains(resume.string("token"));
        if (kept != null && !isCurrent) {
            return null; // wrongToken
        }
        if (kept != null && kept.views.entrySet().stream().allMatch(
                view -> !bodies.containsKey(view.getKey()) || view.getValue().load == null
                        || received.contains(view.getValue().load))) {
            return kept;
        }
        State sealed = snapshots.get(String.valueOf(resume.string("snapshot")));
        if (sealed == null) {
            return null; // unknownSession or resultsLost
        }
        State rebuilt = sealed.copy();
        List<Object> newer = new ArrayList<>(received);
        rebuilt.views.values().forEach(view -> newer.remove(view.load));
        if (!newer.isEmpty()) {
            return null; // snapshotStale
        }
        // A view without its items was attached again since the snapshot.
        rebuilt.views.values().removeIf(
                view -> view.load != null && !received.contains(view.load));
        return rebuilt;
    }

    private JsonObject sealed(State session) {
        String name = "v" + ++names;
        snapshots.put(name, session.copy());
        return message("snapshot", null).put("ack", session.ack).put("sealed", name).build();
    }

    // Messages

    private void handle(Line line, JsonObject message, boolean isOfHello,
            List<JsonObject> answers) {
        State session = line.session;
        String type = message.string("type");
        if (type.equals("ping")) {
            answers.add(message("pong", null).put("t", message.get("t")).put("time", 0).build());
            return;
        }
        if (type.equals("bye")) {
            sessions.remove(session.name);
            return;
        }
        long seq = Outbox.seq(message);
        require(seq > line.lastSeq, "the seq does not ascend: " + message);
        line.lastSeq = seq;
        String before = session.numbers.put(seq, message.toString());
        require(before == null || before.equals(message.toString()),
                "a number is used again: " + before + ", " + message);
        if (seq <= session.ack) {
            require(isOfHello, "staleSequence: " + message);
            return; // it is repeated, and was handled before
        }
        session.ack = seq;
        if (line.refusedViews.contains(message.string("view")) && !type.equals("attach")) {
            require(!type.equals("edit"), "an edit of a refused view: " + message);
            line.ineffective.add(message.string("id"));
            answers.add(message("error", message.string("view")).put("code", "unknownView")
                    .put("message", "").put("temporary", false).put("seq", seq).build());
            return;
        }
        line.refusedViews.remove(message.string("view"));
        if (type.equals("attach") && isInvalid(View.query(message, ""))) {
            line.refusedViews.add(message.string("view"));
            answers.add(invalidParameter(message.string("view")).put("seq", seq).build());
            return;
        }
        apply(session, message, answers);
    }

    private void apply(State session, JsonObject message, List<JsonObject> answers) {
        String name = message.string("view");
        View view = session.views.get(name);
        if (message.string("type").equals("attach")) {
            require(view == null, "viewExists: " + message);
            session.views.put(name, new View(message));
            answers.add(attached(name, session).put("inset",
                    JsonObject.builder().put("top", 0).build()).build());
            return;
        }
        require(view != null, "unknownView: " + message);
        switch (message.string("type")) {
            case "detach":
                session.views.remove(name);
                break;
            case "enable":
                view.isEnabled = message.flag("enabled");
                break;
            case "configure":
                configure(session, view, message, answers);
                break;
            case "edit":
                String edit = message.string("edit");
                require(edit.endsWith("-" + view.feed), edit + " reaches " + view.feed);
                require(view.edits.add(edit), edit + " is sent twice");
                performed.add(edit);
                answers.add(message("edited", name).put("edit", edit)
                        .put("result", "confirmed").build());
                break;
            case "read":
                String id = message.string("id");
                require(id.contains("@" + view.feed + "@"), id + " reaches " + view.feed);
                // A view that is attached again handles what its earlier attachment may not have.
                // A fresh session may handle initial messages of the session before it, too.
                require(view.handled.add(id) || id.startsWith("initial"), id + " is handled twice");
                session.handled.add(id);
                answers.add(message("update", name).put("ack", session.ack).build());
                break;
            default:
        }
        if (session.views.containsKey(name) && random.nextInt(3) == 0) {
            view.load = "l" + ++names;
            answers.add(message("update", name).put("ack", session.ack).build());
            answers.add(message("items", name).put("load", view.load).put("mode", "replace")
                    .put("count", 1).put("items", List.of(view.feed)).build());
            answers.add(sealed(session));
        }
    }

    private void configure(State session, View view, JsonObject message,
            List<JsonObject> answers) {
        String name = message.string("view");
        String query = View.query(message, "");
        if (isInvalid(query)) {
            answers.add(invalidParameter(name).put("seq", message.get("seq")).build());
        } else if (!query.equals(view.query)) {
            view.query = query;
            answers.add(message("update", name).put("ack", session.ack)
                    .putIfPresent("list", message.has("shown")
                            ? JsonObject.builder().put("count", 0).build() : null).build());
        }
    }
}
