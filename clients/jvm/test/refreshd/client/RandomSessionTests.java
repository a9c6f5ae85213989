package refreshd.client;

import static refreshd.client.Tests.isTrue;

import java.net.URI;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/**
 * Random sequences of what apps and networks do. {@link ModelDaemon} checks each message. At the
 * end, each request about a view that is still attached was handled exactly once, unless its
 * session has ended or the client has reported that it was dropped.
 */
final class RandomSessionTests {
    private static final int ROUNDS = 1500;
    private static final int STEPS = 60;

    private final Tests tests;

    RandomSessionTests(Tests tests) {
        this.tests = tests;
    }

    void run() {
        tests.test("In random sequences, each request is handled once and none is lost.", () -> {
            long first = Long.getLong("seed", System.nanoTime());
            for (int round = 0; round < Integer.getInteger("rounds", ROUNDS); round++) {
                long seed = first + round;
                Course course = new Course(new Random(seed));
                try {
                    course.run();
                } catch (Throwable failure) {
                    throw new AssertionError("-Dseed=" + seed + " -Drounds=1: "
                            + String.join("; ", course.log), failure);
                }
            }
        });
    }

    /** One sequence: an app with up to three views, and its processes. */
    private static final class Course implements ClientListener, ViewListener {
        final List<String> log = new ArrayList<>();
        private final Random random;
        private final ModelDaemon daemon;
        private ManualScheduler clock;
        private RefreshClient client;
        /** The views that are attached, and by feed the requests about them. */
        private final Map<String, RefreshView> views = new LinkedHashMap<>();
        private final Map<String, String> feeds = new LinkedHashMap<>();
        private final Map<String, List<String>> requests = new LinkedHashMap<>();
        /** The edits by name, with the feeds of their views. */
        private final Map<String, String> edits = new LinkedHashMap<>();
        /** By view, the last valid query. */
        private final Map<String, String> queries = new LinkedHashMap<>();
        /** The views whose top edge is disabled. */
        private final Set<String> disabled = new HashSet<>();
        /** The views of which changes were reported as dropped. */
        private final Set<String> uncertain = new HashSet<>();
        private int names = 0;
        private boolean isCalling = false;
        private boolean hadSession = false;
        private boolean isEnding = false;

        Course(Random random) {
            this.random = random;
            daemon = new ModelDaemon(random);
            begin(null);
        }

        private void begin(String state) {
            clock = new ManualScheduler(); // the timers of an earlier process end with it
            RefreshClientBuilder builder = RefreshClient.builder(URI.create("ws://h/"), daemon)
                    .executor(Runnable::run).scheduler(clock).random(random).listener(this)
                    .features(Feature.UNREAD, Feature.QUERY, Feature.PATCH, Feature.LIVE,
                            Feature.EDITS);
            client = builder.resume(state).build();
        }

        void run() {
            attach("a");
            client.connect();
            for (int step = 0; step < STEPS; step++) {
                step();
            }
            isEnding = true;
            settle();
            check();
        }

        private void step() {
            String name = "abc".substring(random.nextInt(3)).substring(0, 1);
            switch (random.nextInt(24)) {
                case 0:
                    attach(name);
                    break;
                case 1:
                    detach(name);
                    break;
                case 2:
                    log.add("background");
                    client.background();
                    break;
                case 3:
                    log.add("foreground");
                    client.foreground();
                    break;
                case 4:
                    lose(1006);
                    break;
                case 5:
                    restart();
                    break;
                case 6:
                    beginAgain();
                    break;
                case 7:
                    log.add("wait");
                    clock.advance(random.nextInt(1500));
                    break;
                case 8:
                    move(name);
                    break;
                case 9:
                    batch(name);
                    break;
                case 10:
                case 11:
                case 12:
                    request(name);
                    break;
                case 13:
                    query(name);
                    break;
                case 14:
                    enable(name);
                    break;
                case 15:
                case 16:
                    edit(name);
                    break;
                default:
                    deliver();
            }
        }

        private void attach(String name) {
            String feed = "f" + ++names;
            log.add("attach " + name + " " + feed);
            attach(name, feed);
        }

        private void attach(String name, String feed) {
            requests.remove(feeds.put(name, feed));
            requests.put(feed, new ArrayList<>());
            queries.put(name, "");
            disabled.remove(name);
            uncertain.remove(name);
            attachAgain(name);
        }

        /** Attaches a view with the options that it has. */
        private void attachAgain(String name) {
            String feed = feeds.get(name);
            ViewOptions options = new ViewOptions(name, "default").feed(feed);
            if (!queries.get(name).isEmpty()) {
                options.parameters(Map.of("q", queries.get(name)));
            }
            if (disabled.contains(name)) {
                options.top(new EdgeOptions().enabled(false));
            }
            views.put(name, client.attach(options, this, List.of(JsonObject.builder()
                    .put("type", "read").put("id", initial(feed)).build())));
        }

        private static String initial(String feed) {
            return "initial@" + feed + "@";
        }

        private void query(String name) {
            if (views.containsKey(name)) {
                String query = (random.nextBoolean() ? "bad" : "good") + ++names;
                log.add("query " + name + " " + query);
                // The call may call listeners, which may replace the view.
                if (query.startsWith("good")) {
                    queries.put(name, query);
                }
                views.get(name).query(Map.of("q", query), null, random.nextBoolean());
            }
        }

        private void enable(String name) {
            if (views.containsKey(name)) {
                boolean isEnabled = disabled.remove(name);
                if (!isEnabled) {
                    disabled.add(name);
                }
                log.add("enable " + name + " " + isEnabled);
                views.get(name).enable(Edge.TOP, isEnabled);
            }
        }

        private void detach(String name) {
            RefreshView view = views.remove(name);
            if (view != null) {
                log.add("detach " + name);
                requests.remove(feeds.remove(name));
                view.detach();
            }
        }

        private void request(String name) {
            RefreshView view = views.get(name);
            if (view != null) {
                String id = "r" + ++names + "@" + feeds.get(name) + "@"
                        + (random.nextInt(4) == 0 ? "x".repeat(100) : "");
                log.add("request " + id.replace("x", ""));
                List<String> own = requests.get(feeds.get(name));
                own.add(id);
                try {
                    view.markRead(id);
                } catch (IllegalArgumentException tooLong) {
                    own.remove(id);
                }
            }
        }

        private void edit(String name) {
            RefreshView view = views.get(name);
            if (view != null) {
                String edit = "edit-" + ++names + "-" + feeds.get(name);
                log.add(edit);
                edits.put(edit, feeds.get(name));
                view.edit(EditTests.operation("{'insert':{'id':" + names + "},'at':'end'}"), 0,
                        edit);
            }
        }

        private void move(String name) {
            RefreshView view = views.get(name);
            if (view != null) {
                log.add("move " + name);
                view.scroll(0, ScrollPhase.BEGAN);
                view.geometry(new Geometry().content(new Size().height(random.nextInt(900))));
                view.scroll(1, ScrollPhase.IDLE);
            }
        }

        private void batch(String name) {
            log.add("batch");
            client.batch(() -> {
                request(name);
                if (random.nextInt(4) == 0) {
                    client.background();
                    client.foreground();
                }
                request(name);
            });
        }

        private void lose(int code) {
            if (daemon.hasLine()) {
                ModelDaemon.Line line = daemon.line();
                log.add("lose");
                line.isOver = true;
                line.listener.onClosed(code, "");
            }
        }

        private void restart() {
            if (random.nextInt(3) == 0) {
                log.add("restart");
                daemon.restart();
                if (random.nextBoolean() && daemon.hasLine() && !daemon.line().isOpen) {
                    daemon.line().isOver = true;
                    daemon.line().listener.onRefused(503, "", "1");
                }
                lose(4100);
            }
        }

        /** The process ends, and the next one continues with its state. */
        private void beginAgain() {
            String state = client.saveState();
            if (state == null || random.nextInt(3) != 0) {
                return;
            }
            log.add("process");
            daemon.lines.forEach(line -> line.isOver = true); // the old process is silent
            views.clear();
            begin(state);
            if (random.nextInt(3) == 0) {
                feeds.keySet().stream().skip(1).findFirst().ifPresent(feeds::remove);
            }
            requests.keySet().retainAll(feeds.values());
            feeds.keySet().forEach(this::attachAgain);
            hadSession = true;
            if (random.nextInt(4) == 0 && !feeds.isEmpty()) {
                attach(feeds.keySet().iterator().next()); // before it connects
            }
            client.connect();
        }

        /** Moves one frame, in one direction. */
        private boolean deliver() {
            if (!daemon.hasLine()) {
                return false;
            }
            ModelDaemon.Line line = daemon.line();
            if (!line.isOpen) {
                log.add("open");
                line.isOpen = true;
                line.listener.onOpen();
            } else if (!line.received.isEmpty() && (line.sent.isEmpty() || random.nextBoolean())) {
                log.add("> " + line.received.peek().replaceAll("x+", ""));
                daemon.handle(line);
            } else if (!line.sent.isEmpty()) {
                log.add("< " + line.sent.peek());
                Welcome before = client.welcome();
                String frame = line.sent.remove();
                boolean isDamaged = random.nextInt(40) == 0;
                line.listener.onText(frame.substring(0, frame.length() - (isDamaged ? 1 : 0)));
                isTrue(!isDamaged || line.isOver, "a damaged frame does not end the connection");
                if (client.welcome() != before) {
                    handleWelcome(client.welcome());
                }
            } else {
                return false;
            }
            return true;
        }

        private void handleWelcome(Welcome welcome) {
            if (!welcome.isResumed() && hadSession) {
                requests.values().forEach(List::clear); // the session of these requests has ended
            }
            hadSession = true;
        }

        private void settle() {
            client.foreground();
            for (int moves = 0; moves < 10_000; moves++) {
                if (client.status() == Status.LOST) {
                    clock.advance(client.retryInMs());
                } else if (!deliver() && client.status() == Status.OPEN) {
                    return;
                }
            }
            throw new AssertionError("the session does not settle: " + client.status());
        }

        private void check() {
            Set<String> handled = daemon.handled();
            requests.forEach((feed, ids) -> ids.forEach(id ->
                    isTrue(handled.contains(id), id + " is lost")));
            edits.forEach((edit, feed) -> isTrue(daemon.performed.contains(edit)
                    || !feeds.containsValue(feed), edit + " is lost"));
            for (Map.Entry<String, RefreshView> view : views.entrySet()) {
                isTrue(view.getValue().pendingEdits().isEmpty(), view.getValue().pendingEdits());
                isTrue(view.getValue().isAttached(), view.getKey() + " is not attached");
                List<Object> items = view.getValue().items();
                String feed = feeds.get(view.getKey());
                String expected = feed + "," + queries.get(view.getKey()) + ","
                        + !disabled.contains(view.getKey());
                isTrue(uncertain.contains(view.getKey())
                                || daemon.state(view.getKey()).equals(expected),
                        daemon.state(view.getKey()) + " instead of " + expected);
                isTrue(uncertain.contains(view.getKey())
                        || daemon.hasHandled(view.getKey(), initial(feed)), feed + ", initial");
                isTrue(items.isEmpty() || items.get(0).equals(feed), feed + " has " + items);
            }
        }

        // Listeners, which call the client too

        private void call() {
            if (!isCalling && !isEnding && random.nextInt(6) == 0) {
                isCalling = true;
                log.add("in a listener:");
                String name = "abc".substring(random.nextInt(3)).substring(0, 1);
                switch (random.nextInt(6)) {
                    case 0:
                        attach(name);
                        break;
                    case 1:
                        detach(name);
                        break;
                    case 2:
                        client.background();
                        break;
                    case 3:
                        client.foreground();
                        break;
                    case 4:
                        edit(name);
                        break;
                    default:
                        request(name);
                }
                isCalling = false;
            }
        }

        @Override
        public void onStatus(RefreshClient changed) {
            isTrue(changed.status() != Status.REFUSED, changed.closeReason());
            call();
        }

        @Override
        public void onWelcome(RefreshClient open, Welcome welcome) {
            call();
        }

        @Override
        public void onDropped(RefreshClient open, List<JsonObject> messages, String reason) {
            log.add("dropped " + messages.size());
            for (JsonObject message : messages) {
                requests.values().forEach(ids -> ids.remove(message.string("id")));
                if (message.string("id") == null || message.string("id").startsWith("initial")) {
                    uncertain.add(message.string("view"));
                }
            }
        }

        @Override
        public void onAttached(RefreshView view, Update command, boolean isResumed) {
            call();
        }

        @Override
        public void onItems(RefreshView view, Page page) {
            isTrue(views.get(view.name()) == view, "items of a view that is detached");
            call();
        }

        @Override
        public void onDisconnected(RefreshView view) {
            call();
        }

        @Override
        public void onEnded(RefreshView view) {
            call();
        }
    }
}
