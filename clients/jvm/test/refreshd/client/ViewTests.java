package refreshd.client;

import static refreshd.client.Tests.equal;
import static refreshd.client.Tests.fails;
import static refreshd.client.Tests.isTrue;

import java.util.Collections;
import java.util.List;
import java.util.Random;

/** What a view shows. */
final class ViewTests {
    private static final int ROUNDS = 3000;

    private final Tests tests;

    ViewTests(Tests tests) {
        this.tests = tests;
    }

    void run() {
        arguments();
        states();
        commands();
        features();
        patches();
        tests.test("No message of a daemon makes the client throw or stop.", this::strangeMessages);
    }

    private void arguments() {
        tests.test("A number that is not finite is refused by its name.", () -> {
            Fixture fixture = new Fixture().open();
            equal(message(() -> fixture.list.scroll(Double.NaN, ScrollPhase.BEGAN)),
                    "offset is NaN, and must be finite");
            equal(message(() -> fixture.list.pan(0, PanPhase.BEGAN, 1 / 0.0)),
                    "velocity is Infinity, and must be finite");
        });
        tests.test("An option out of its range is refused where it is set.", () -> {
            equal(message(() -> new EdgeOptions().fill(-1)),
                    "fill is -1, and must be from 0 to 1000");
            equal(message(() -> new EdgeOptions().length(0)), "length is 0, and must be above 0");
            equal(message(() -> new EdgeOptions().deadline(3_600_001)),
                    "deadline is 3600001, and must be from 1 to 3600000");
            equal(message(() -> new EdgeOptions().length(Double.NaN)),
                    "length is NaN, and must be above 0");
            fails(IllegalArgumentException.class, () -> new Size().width(-1));
            equal(new EdgeOptions().deadline(1).length(0.5), "{\"deadline\":1,\"length\":0.5}");
            equal(new EdgeOptions().deadline(null), "{\"deadline\":null}");
        });
        tests.test("A view has a name of 1 to 32 bytes, and messages of known types.", () -> {
            Fixture fixture = new Fixture();
            for (String name : new String[] {"", "\u00e4".repeat(17), "a\u0001", "\u0085"}) {
                fails(IllegalArgumentException.class, () -> fixture.client.attach(
                        new ViewOptions(name, "default"), new ViewListener() {}));
            }
            equal(message(() -> fixture.client.attach(
                    new ViewOptions("other", "default"), new ViewListener() {}, List.of(
                            JsonObject.builder().put("type", "refersh").build()))),
                    "there is no message of the type refersh about a view: "
                    + "{\"type\":\"refersh\"}");
        });
        tests.test("An argument that is missing is named.", () -> {
            Fixture fixture = new Fixture().open();
            equal(missing(() -> fixture.list.scroll(0, null)), "phase");
            equal(missing(() -> fixture.list.enable(null, true)), "edge");
            equal(missing(() -> fixture.list.markRead(null)), "id");
            equal(missing(() -> fixture.list.finishLoad("1.1", null, 0, null, null)), "result");
            equal(missing(() -> fixture.client.attach(null, fixture)), "options");
            equal(missing(() -> fixture.client.run(null)), "task");
            RefreshClientBuilder builder = RefreshClient.builder(
                    java.net.URI.create("ws://h/"), new FakeDaemon());
            equal(missing(() -> builder.executor(null)), "executor");
            equal(missing(() -> builder.listener(null)), "listener");
            equal(fixture.daemon.line().types(), List.of("hello"));
        });
        tests.test("An initial load without features is refused, because it loads nothing.", () -> {
            RefreshClient client = RefreshClient.builder(
                    java.net.URI.create("ws://h/"), new FakeDaemon()).build();
            ViewOptions load = new ViewOptions("list", "default").initial(Initial.LOAD);
            fails(IllegalStateException.class, () -> client.attach(load, new ViewListener() {}));
            client.attach(new ViewOptions("list", "default").initial(Initial.NONE),
                    new ViewListener() {});
            new Fixture().client.attach(load, new ViewListener() {});
        });
    }

    /** Returns the name of the argument that a task lacks. */
    private static String missing(Runnable task) {
        try {
            task.run();
        } catch (NullPointerException refused) {
            return String.valueOf(refused.getMessage());
        }
        throw new AssertionError("nothing was thrown");
    }

    /** Returns the message of the exception that a task throws. */
    private static String message(Runnable task) {
        try {
            task.run();
        } catch (IllegalArgumentException refused) {
            return String.valueOf(refused.getMessage());
        }
        throw new AssertionError("nothing was thrown");
    }

    private void states() {
        tests.test("An update changes what it contains, and a new state drops progress.", () -> {
            Fixture fixture = new Fixture().open();
            FakeDaemon.Line line = fixture.daemon.line();
            line.push("{'type':'update','view':'list','ack':1,'top':{'state':'pulling',"
                    + "'progress':0.5,'indicator':{'progress':0.5,'alpha':0.4}}}");
            line.push("{'type':'update','view':'list','ack':2,'top':{'indicator':{'alpha':1}}}");
            EdgeStatus top = fixture.list.edge(Edge.TOP);
            equal(top.state(), EdgeState.PULLING);
            equal(top.progress(), 0.5);
            equal(top.spinner().progress(), 0.5);
            equal(top.spinner().alpha(), 1.0);
            line.push("{'type':'update','view':'list','ack':3,'top':{'state':'refreshing',"
                    + "'cause':'finger'},'inset':{'top':60,'duration':0}}");
            equal(fixture.list.edge(Edge.TOP).progress(), null);
            equal(fixture.list.edge(Edge.TOP).cause(), Cause.FINGER);
            equal(fixture.list.inset(Edge.TOP), 60.0);
            equal(fixture.list.edge(Edge.BOTTOM).state(), EdgeState.IDLE);
            equal(fixture.list.edge(Edge.LEADING), null);
        });
        tests.test("Pages replace, follow or precede the items, and end their loads.", () -> {
            Fixture fixture = new Fixture().open();
            FakeDaemon.Line line = fixture.daemon.line();
            line.push("{'type':'loading','view':'list','load':'1.1','phase':'began'}");
            equal(fixture.list.loads(), "[1.1]");
            for (String mode : new String[] {"replace", "append", "prepend"}) {
                line.push("{'type':'items','view':'list','load':'1.1','mode':'" + mode
                        + "','items':['" + mode + "']}");
            }
            equal(fixture.list.items(), "[prepend, replace, append]");
            equal(fixture.list.loads(), "[]");
        });
    }

    private void commands() {
        tests.test("An offset that is older than the last movement is dropped.", () -> {
            Fixture fixture = new Fixture().open();
            fixture.list.scroll(0, ScrollPhase.BEGAN);
            fixture.list.scroll(-10, ScrollPhase.ENDED);
            fixture.list.scroll(0, ScrollPhase.IDLE);
            fixture.list.scroll(30, ScrollPhase.BEGAN);
            FakeDaemon.Line line = fixture.daemon.line();
            line.push("{'type':'update','view':'list','ack':3,'offset':{'to':-60,'duration':0}}");
            equal(fixture.list.offset(), 30.0);
            line.push("{'type':'update','view':'list','ack':4,'offset':{'to':-60,'duration':0}}");
            equal(fixture.list.offset(), -60.0);
            isTrue(fixture.events.contains("offset -60.0"), fixture.events);
        });
        tests.test("A geometry with an offset also makes older commands void.", () -> {
            Fixture fixture = new Fixture().open();
            fixture.list.geometry(new Geometry().offset(7));
            fixture.daemon.line().push(
                    "{'type':'update','view':'list','ack':0,'offset':{'to':-60,'duration':0}}");
            equal(fixture.list.offset(), 7.0);
        });
        tests.test("A geometry with an anchor leaves older commands valid.", () -> {
            Fixture fixture = new Fixture().open();
            fixture.list.geometry(new Geometry().offset(7).anchor(new Anchor("a", 7)));
            fixture.daemon.line().push(
                    "{'type':'update','view':'list','ack':0,'offset':{'to':30,'duration':0}}");
            equal(fixture.list.offset(), 30.0);
        });
        tests.test("A timeline has the values of its curve, and of its path.", () -> {
            Timeline eased = timeline("{\"duration\":100,\"curve\":\"easeInOut\"}");
            equal(eased.valueAt(0, 10, 1000), 0.0);
            isTrue(Math.abs(eased.valueAt(0, 10, 1050) - 5) < 1e-3, eased.valueAt(0, 10, 1050));
            isTrue(eased.valueAt(0, 10, 1020) < 1.2, eased.valueAt(0, 10, 1020));
            equal(eased.valueAt(0, 10, 1100), 10.0);
            equal(timeline("{\"duration\":0}").valueAt(0, 10, 1000), 10.0);
            Timeline path = timeline("{\"duration\":100,\"path\":[[0,5],[50,25],[100,9]]}");
            equal(path.valueAt(0, 9, 1025), 15.0);
            equal(path.valueAt(0, 9, 1075), 17.0);
            equal(path.valueAt(0, 9, 2000), 9.0);
        });
        tests.test("A number that is not finite is refused where it is reported.", () -> {
            Fixture fixture = new Fixture().open();
            fails(IllegalArgumentException.class,
                    () -> fixture.list.scroll(Double.NaN, ScrollPhase.BEGAN));
            equal(fixture.daemon.line().types(), List.of("hello"));
        });
        tests.test("A batch sends its messages in one frame.", () -> {
            Fixture fixture = new Fixture().open();
            fixture.client.batch(() -> {
                fixture.list.geometry(new Geometry().anchor(new Anchor("a", 10)));
                fixture.list.geometry(new Geometry().anchor(new Anchor("a", 20)));
            });
            FakeDaemon.Line line = fixture.daemon.line();
            equal(line.frames.get(line.frames.size() - 1).size(), 2);
        });
    }

    private static Timeline timeline(String text) throws JsonException {
        return new Timeline(JsonObject.parse(text), 1000);
    }

    /** Attaches the view again, with keys and four items. */
    private static Fixture patching() {
        Fixture fixture = new Fixture().open();
        FakeDaemon.Line line = fixture.daemon.line();
        line.push("{'type':'attached','view':'list','ack':0,'generation':1,'itemKey':'/a~1b/0',"
                + "'top':{'role':'refresh','state':'idle'}}");
        line.push("{'type':'items','view':'list','load':'1.1','mode':'replace','count':4,"
                + "'items':[{'a/b':[1]},{'a/b':[2]},{'a/b':[3]},{'a/b':['1']}]}");
        return fixture;
    }

    private static void patch(Fixture fixture, int count, String runs) {
        fixture.daemon.line().push("{'type':'items','view':'list','load':'1.2','mode':'patch',"
                + "'count':" + count + ",'runs':" + runs + "}");
    }

    private void patches() {
        tests.test("A patch makes the new list of the same objects.", () -> {
            Fixture fixture = patching();
            Object first = fixture.list.items().get(0);
            patch(fixture, 3, "[{'from':'1','count':1},{'from':1,'count':1},{'items':[5]}]");
            equal(fixture.list.items(), "[{\"a/b\":[\"1\"]}, {\"a/b\":[1]}, 5]");
            isTrue(fixture.list.items().get(1) == first, "the item is another object");
        });
        tests.test("A patch that does not fit changes nothing; the list is requested once.", () -> {
            for (String unfit : new String[] {"[{'from':9,'count':1}]", "[{'from':3,'count':3}]",
                    "[{'from':1,'count':2}]", "[{'from':null,'count':1}]", "[{}]"}) {
                Fixture fixture = patching();
                List<Object> before = fixture.list.items();
                int sent = fixture.daemon.line().messages().size();
                patch(fixture, 3, unfit);
                fixture.daemon.line().push("{'type':'items','view':'list','load':'1.3',"
                        + "'mode':'append','count':1,'items':[7]}");
                patch(fixture, 1, "[{'from':1,'count':1}]");
                equal(fixture.list.items(), before.toString());
                List<JsonObject> messages = fixture.daemon.line().messages();
                equal(messages.size(), sent + 2);
                equal(messages.get(sent).string("type"), "reset");
                equal(messages.get(sent + 1).string("type"), "refresh");
                fixture.daemon.line().push("{'type':'items','view':'list','load':'1.4',"
                        + "'mode':'replace','count':1,'items':[{'a/b':[8]}]}");
                patch(fixture, 2, "[{'items':[9]},{'from':8,'count':1}]");
                equal(fixture.list.items(), "[9, {\"a/b\":[8]}]");
            }
        });
        tests.test("Several items with the key of a run do not fit.", () -> {
            Fixture fixture = patching();
            fixture.daemon.line().push("{'type':'items','view':'list','load':'1.3',"
                    + "'mode':'append','count':1,'items':[{'a/b':[1]}]}");
            patch(fixture, 1, "[{'from':1,'count':1}]");
            equal(fixture.list.items().size(), 5);
            equal(fixture.daemon.line().last().string("type"), "refresh");
        });
    }

    private void features() {
        tests.test("A query that the daemon refuses leaves the query before it.", () -> {
            Fixture fixture = new Fixture().open();
            fixture.list.query(Collections.singletonMap("q", "a"), 250, true);
            FakeDaemon.Line line = fixture.daemon.line();
            equal(line.last(), "{\"type\":\"configure\",\"seq\":1,\"view\":\"list\","
                    + "\"parameters\":{\"q\":\"a\"},\"debounceMs\":250,\"shown\":\"clear\"}");
            isTrue(fixture.events.contains("discarded"), fixture.events);
            fixture.list.query(Collections.singletonMap("x", "b"), null, false);
            line.push("{'type':'error','code':'unknownParameter','message':'','temporary':false,"
                    + "'view':'list','seq':2}");
            JsonObject hello = fixture.reconnect().hello();
            equal(((JsonObject) hello.array("views").get(0)).object("parameters"),
                    "{\"q\":\"a\"}");
        });
        tests.test("Messages of features that the daemon does not serve are not sent.", () -> {
            Fixture fixture = new Fixture();
            fixture.client.connect();
            fixture.daemon.line().listener.onOpen();
            fixture.daemon.line().push("{'type':'welcome','session':'s','token':'t','time':0,"
                    + "'heartbeat':25000,'limits':{}}");
            fixture.list.query(Collections.singletonMap("q", "a"), null, false);
            fixture.list.reveal(null, true);
            fixture.list.markRead("i");
            fixture.list.disappear();
            equal(fixture.daemon.line().types(), List.of("hello"));
        });
        tests.test("What a feature needs before the first welcome is sent after it.", () -> {
            Fixture fixture = new Fixture();
            fixture.list.markRead("i");
            fixture.list.refresh();
            fixture.client.connect();
            FakeDaemon.Line line = fixture.daemon.line();
            line.listener.onOpen();
            equal(line.types(), List.of("hello"));
            fixture.list.query(Collections.singletonMap("q", "a"), null, false);
            line.welcome();
            equal(line.types(), List.of("hello", "read", "refresh", "configure"));
            equal(line.last().object("parameters"), "{\"q\":\"a\"}");
        });
        tests.test("A query before the first connection is that of the attached view.", () -> {
            Fixture fixture = new Fixture();
            fixture.list.query(Collections.singletonMap("q", "a"), null, false);
            fixture.client.connect();
            FakeDaemon.Line line = fixture.daemon.line();
            line.listener.onOpen();
            JsonObject view = (JsonObject) line.hello().array("views").get(0);
            equal(view.object("parameters"), "{\"q\":\"a\"}");
            line.welcome();
            equal(line.types(), List.of("hello"));
        });
        tests.test("Calls of a feature that the app has not named are refused.", () -> {
            RefreshClient client = RefreshClient.builder(
                    java.net.URI.create("ws://h/"), new FakeDaemon()).build();
            RefreshView view = client.attach(
                    new ViewOptions("list", "default"), new ViewListener() {});
            fails(IllegalStateException.class,
                    () -> view.query(Collections.singletonMap("q", "a"), null, false));
            fails(IllegalStateException.class, () -> view.markRead("i"));
            fails(IllegalStateException.class, () -> view.reveal(null, true));
        });
        tests.test("A fault names the view and its feed; unknownView does not follow it.", () -> {
            Fixture fixture = new Fixture();
            List<String> texts = new java.util.ArrayList<>();
            fixture.client.attach(new ViewOptions("other", "default").feed("nws"),
                    new ViewListener() {
                        @Override
                        public void onFault(RefreshView view, Fault fault) {
                            texts.add(fault.message());
                        }
                    });
            fixture.open();
            String unknownView = "{'type':'error','code':'unknownView','message':'There is none.',"
                    + "'view':'other','temporary':false}";
            fixture.daemon.line().push("[{'type':'error','code':'unknownFeed','message':"
                    + "'There is no feed of that name.','view':'other','temporary':false},"
                    + unknownView + "]");
            equal(texts, List.of("There is no feed of that name. The view is \"other\", its feed "
                    + "\"nws\"."));
            fixture.daemon.line().push("[{'type':'attached','view':'other','ack':0},"
                    + unknownView + "]");
            equal(texts.get(1), "There is none. The view is \"other\".");
        });
        tests.test("A kept message of a feature is dropped if the next daemon lacks it.", () -> {
            Fixture fixture = new Fixture().open();
            fixture.daemon.line().listener.onClosed(1006, "");
            fixture.list.markRead("i");
            fixture.clock.advance(fixture.client.retryInMs());
            FakeDaemon.Line line = fixture.daemon.line();
            line.listener.onOpen();
            line.push("{'type':'welcome','session':'s','token':'t','resumed':true,'ack':0,"
                    + "'time':0,'heartbeat':25000,'limits':{}}");
            equal(fixture.reconnect().types(), List.of("hello"));
        });
        tests.test("Options that were configured also hold in a later session.", () -> {
            Fixture fixture = new Fixture().open();
            fixture.list.configure(Edge.TOP, new EdgeOptions().length(80));
            fixture.list.enable(Edge.TOP, false);
            JsonObject view = (JsonObject) fixture.reconnect().hello().array("views").get(0);
            equal(view.object("top"), "{\"length\":80,\"enabled\":false}");
        });
    }

    /** Sends messages whose members are of any type. */
    private void strangeMessages() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        String[] types = {"welcome", "attached", "update", "items", "loading", "load", "error",
            "diagnostic", "pong", "snapshot", "draining", "bye", "other"};
        String[] names = {"view", "load", "mode", "items", "phase", "top", "inset", "offset", "ack",
            "seq", "limits", "features", "token", "session", "resumed", "heartbeat", "time", "t",
            "list", "floor", "haptic", "announce", "sealed", "count", "more", "code", "state"};
        Fixture fixture = new Fixture().open();
        try {
            for (int round = 0; round < ROUNDS; round++) {
                // A fault that is not temporary refuses the client before its welcome.
                JsonObject.Builder message = JsonObject.builder().put("temporary", true)
                        .put("type", types[random.nextInt(types.length)]);
                for (int count = random.nextInt(8); count > 0; count--) {
                    String name = names[random.nextInt(names.length)];
                    message.put(name, name.equals("view") && random.nextBoolean() ? "list"
                            : JsonTests.value(random, 3));
                }
                fixture.daemon.line().push(message.build().toString());
                fixture.list.edge(Edge.TOP);
                fixture.clock.advance(1);
                if (fixture.client.status() == Status.LOST) {
                    fixture.clock.advance(fixture.client.retryInMs());
                    fixture.daemon.line().listener.onOpen();
                }
            }
            fixture.reconnect().welcome();
            equal(fixture.client.status(), Status.OPEN);
        } catch (RuntimeException | AssertionError failure) {
            throw new AssertionError("seed " + seed, failure);
        }
    }
}
