package refreshd.client;

import static refreshd.client.Tests.equal;
import static refreshd.client.Tests.isTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Messages that a daemon refuses for their sizes, and frames of `hello` that it refuses. */
final class BoundsTests {
    private static final String LONG = "x".repeat(2000);

    private final Tests tests;

    BoundsTests(Tests tests) {
        this.tests = tests;
    }

    void run() {
        arguments();
        refusedFrames();
        refusedChanges();
    }

    private static String refusal(Tests.Body body) throws Exception {
        try {
            body.run();
        } catch (IllegalArgumentException refused) {
            return refused.getMessage();
        }
        throw new AssertionError("nothing was thrown");
    }

    /** Answers `hello` with a fresh session whose strings have at most 64 bytes. */
    private static void welcomeNarrow(FakeDaemon.Line line) {
        line.push("{'type':'welcome','session':'s','token':'t9','resumed':true,'ack':0,'time':0,"
                + "'heartbeat':25000,'limits':{'stringBytesMax':64},'features':['unread']}");
    }

    private static void refuseFrame(FakeDaemon.Line line) {
        line.push("{'type':'error','code':'stringTooLong','message':'','temporary':false}");
    }

    private void arguments() {
        tests.test("A string beyond the limit is refused by its call, and is not kept.", () -> {
            Fixture fixture = new Fixture().open();
            fixture.list.query(Collections.singletonMap("q", "good"), null, false);
            equal(refusal(() -> fixture.list.query(Collections.singletonMap("q", LONG), 0, true)),
                    "q has 2000 bytes, and the daemon accepts at most 1024 (stringBytesMax)");
            EdgeOptions options = new EdgeOptions();
            options.setAll(JsonObject.builder().put("later", LONG).build());
            Geometry geometry = new Geometry();
            geometry.setAll(options.json());
            List<Tests.Body> calls = List.of(
                    () -> fixture.list.query(Collections.singletonMap(LONG, "q"), null, false),
                    () -> fixture.list.markRead(LONG),
                    () -> fixture.list.revealItem(LONG, null),
                    () -> fixture.list.beginLoad(LONG, true),
                    () -> fixture.list.reportProgress(LONG, 0.5),
                    () -> fixture.list.finishLoad(LONG, LoadResult.SUCCESS, 0, null, null),
                    () -> fixture.list.finishLoad("1", LoadResult.SUCCESS, 0, null, LONG),
                    () -> fixture.list.configure(Edge.TOP, options),
                    () -> fixture.list.geometry(geometry),
                    () -> fixture.client.attach(new ViewOptions("other", "default").feed(LONG),
                            new ViewListener() {}),
                    () -> fixture.client.attach(new ViewOptions("other", "default"),
                            new ViewListener() {}, List.of(JsonObject.builder()
                                    .put("type", "read").put("id", LONG).build())));
            for (Tests.Body call : calls) {
                isTrue(refusal(call).endsWith(" (stringBytesMax)"), refusal(call));
            }
            FakeDaemon.Line line = fixture.reconnect();
            equal(line.types(), List.of("hello", "configure"));
            isTrue(Json.write(line.frames.get(0)).length() < 1000, line.frames);
            equal(line.last().object("parameters"), "{\"q\":\"good\"}");
        });
        tests.test("The bytes of a string count as they are encoded in JSON.", () -> {
            Fixture fixture = new Fixture().open();
            for (String fits : List.of("x".repeat(1024), "\u00e4".repeat(512), "\"".repeat(512),
                    "\ud83d\ude00".repeat(256), "\u0001".repeat(170))) {
                fixture.list.markRead(fits);
                isTrue(refusal(() -> fixture.list.markRead(fits + "12345"))
                        .startsWith("id has 10"), fits);
            }
            equal(fixture.daemon.line().types().size(), 6);
        });
        tests.test("Other bounds of a message are those of the daemon too.", () -> {
            Fixture fixture = new Fixture().open();
            Map<String, String> many = new HashMap<>();
            for (int count = 0; count < 17; count++) {
                many.put("p" + count, "");
            }
            isTrue(refusal(() -> fixture.list.query(many, null, false))
                    .startsWith("the query has 17 parameters,"), "17 parameters");
            many.remove("p0");
            fixture.list.query(many, null, false);
            Object nested = Collections.emptyList();
            for (int depth = 0; depth < 14; depth++) {
                EdgeOptions options = new EdgeOptions();
                options.setAll(JsonObject.builder().put("later", nested).build());
                if (depth < 12) { // beside the array of the batch, the message and the edge
                    fixture.list.configure(Edge.TOP, options);
                } else if (depth > 12) {
                    isTrue(refusal(() -> fixture.list.configure(Edge.TOP, options))
                            .endsWith("accepts at most 16 (jsonDepthMax)"), "the depth");
                }
                nested = Collections.singletonList(nested);
            }
            EdgeOptions huge = new EdgeOptions();
            huge.setAll(JsonObject.parse("{\"later\":1e999}"));
            isTrue(refusal(() -> fixture.list.configure(Edge.TOP, huge))
                    .endsWith("beyond the range of a double"), "the number");
            EdgeOptions large = new EdgeOptions();
            large.setAll(JsonObject.builder()
                    .put("later", Collections.nCopies(100, "x".repeat(1000))).build());
            isTrue(refusal(() -> fixture.list.configure(Edge.TOP, large))
                    .endsWith("accepts at most 65536 (frameBytesMax)"), "the size");
            isTrue(refusal(() -> fixture.list.query(Collections.emptyMap(), -1, false))
                    .startsWith("debounceMs is -1"), "the delay");
        });
        tests.test("The limits of the last welcome apply.", () -> {
            Fixture fixture = new Fixture();
            fixture.client.connect();
            fixture.daemon.line().listener.onOpen();
            welcomeNarrow(fixture.daemon.line());
            fixture.list.markRead("x".repeat(64));
            equal(refusal(() -> fixture.list.markRead("x".repeat(65))),
                    "id has 65 bytes, and the daemon accepts at most 64 (stringBytesMax)");
        });
    }

    /** A client whose requests wait, one of them with a string of 100 bytes, and their drops. */
    private static Fixture waiting(List<String> drops) {
        Fixture fixture = new Fixture() {
            @Override
            public void onDropped(
                    RefreshClient client, List<JsonObject> messages, String reason) {
                messages.forEach(message -> drops.add(message + ": " + reason));
            }
        };
        fixture.open();
        fixture.list.refresh();
        fixture.list.markRead("x".repeat(100));
        fixture.list.markRead("short");
        return fixture;
    }

    private void refusedFrames() {
        tests.test("If a frame of hello is refused, hello alone is sent on the same line.", () -> {
            List<String> drops = new ArrayList<>();
            Fixture fixture = waiting(drops);
            FakeDaemon.Line line = fixture.reconnect();
            equal(line.types(), List.of("hello", "refresh", "read", "read"));
            refuseFrame(line);
            equal(line.types().subList(4, 5), List.of("hello"));
            equal(line.frames.get(1).get(0).object("resume"), line.hello().object("resume"));
            equal(fixture.client.status(), Status.CONNECTING);
            welcomeNarrow(line);
            equal(fixture.client.status(), Status.OPEN);
            equal(drops, List.of("{\"type\":\"read\",\"seq\":2,\"view\":\"list\",\"id\":\""
                    + "x".repeat(100) + "\"}: id has 100 bytes, and the daemon accepts at most 64 "
                    + "(stringBytesMax)"));
            equal(line.types().subList(5, line.types().size()), List.of("refresh", "read"));
            equal(Outbox.seq(line.last()), 3);
            equal(fixture.daemon.lines.size(), 2);
        });
        tests.test("If no message exceeds a limit, all of the refused frame are dropped.", () -> {
            List<String> drops = new ArrayList<>();
            Fixture fixture = waiting(drops);
            FakeDaemon.Line line = fixture.reconnect();
            refuseFrame(line);
            fixture.list.loadMore();
            line.resumed(0);
            equal(drops.size(), 3);
            isTrue(drops.get(0).endsWith(" (stringTooLong)"), drops);
            equal(line.types().subList(5, line.types().size()), List.of("loadMore"));
            equal(fixture.reconnect().types(), List.of("hello", "loadMore"));
        });
        tests.test("If hello alone is refused too, the client is refused.", () -> {
            List<String> drops = new ArrayList<>();
            Fixture fixture = waiting(drops);
            FakeDaemon.Line line = fixture.reconnect();
            refuseFrame(line);
            refuseFrame(line);
            equal(fixture.client.status(), Status.REFUSED);
            equal(line.types().size(), 5);
        });
        tests.test("Messages beyond the last known limits are not repeated.", () -> {
            List<String> drops = new ArrayList<>();
            Fixture fixture = waiting(drops);
            FakeDaemon.Line line = fixture.reconnect();
            welcomeNarrow(line);
            equal(drops.size(), 1);
            equal(fixture.reconnect().types(), List.of("hello", "refresh", "read"));
            equal(drops.size(), 1);
        });
    }

    private void refusedChanges() {
        tests.test("An option that the daemon refuses is not in the next hello.", () -> {
            Fixture fixture = new Fixture().open();
            EdgeOptions invalid = new EdgeOptions().length(70);
            invalid.setAll(JsonObject.builder().put("fill", -1).build());
            fixture.list.configure(Edge.TOP, new EdgeOptions().length(80));
            fixture.list.configure(Edge.TOP, invalid);
            fixture.list.enable(Edge.TOP, false);
            fixture.daemon.line().push("[{'type':'error','code':'valueOutOfRange','message':'',"
                    + "'temporary':false,'view':'list','field':'fill','seq':2},"
                    + "{'type':'update','view':'list','ack':3}]");
            JsonObject view = (JsonObject) fixture.reconnect().hello().array("views").get(0);
            equal(view.object("top"), "{\"length\":80,\"enabled\":false}");
        });
        tests.test("A change beyond the limits of the next daemon is not in its hello.", () -> {
            List<String> drops = new ArrayList<>();
            Fixture fixture = waiting(drops);
            welcomeNarrow(fixture.reconnect());
            fixture.daemon.line().listener.onClosed(1006, "");
            fixture.list.configure(Edge.TOP, new EdgeOptions().length(70));
            fixture.clock.advance(fixture.client.retryInMs());
            FakeDaemon.Line line = fixture.daemon.line();
            line.listener.onOpen();
            line.push("{'type':'welcome','session':'s','token':'t8','resumed':true,'ack':0,"
                    + "'time':0,'heartbeat':25000,'limits':{'stringBytesMax':4,"
                    + "'jsonDepthMax':3}}");
            JsonObject view = (JsonObject) fixture.reconnect().hello().array("views").get(0);
            isTrue(!view.has("top"), view);
        });
        tests.test("A hello that is refused for a new option is sent without it.", () -> {
            List<String> drops = new ArrayList<>();
            Fixture fixture = waiting(drops);
            EdgeOptions invalid = new EdgeOptions();
            invalid.setAll(JsonObject.builder().put("fill", -1).build());
            fixture.list.configure(Edge.TOP, invalid);
            FakeDaemon.Line line = fixture.reconnect();
            line.push("[{'type':'error','code':'valueOutOfRange','message':'','temporary':false,"
                    + "'field':'fill'},{'type':'error','code':'helloRequired','message':'',"
                    + "'temporary':false}]");
            equal(line.frames.size(), 2);
            equal(line.frames.get(1).get(0).array("views").get(0).toString().contains("fill"),
                    false);
            equal(drops.size(), 1);
            line.resumed(0);
            equal(line.types().subList(6, line.types().size()), List.of("refresh", "read", "read"));
            equal(fixture.client.status(), Status.OPEN);
        });
        tests.test("A view that is refused for a new query is attached without it.", () -> {
            Fixture fixture = new Fixture();
            fixture.client.attach(new ViewOptions("other", "default").feed("packages"),
                    new ViewListener() {}, List.of(Fixture.REFRESH));
            fixture.open();
            fixture.list.query(Collections.singletonMap("wrong", "x"), null, false);
            FakeDaemon.Line line = fixture.reconnect();
            line.push("[{'type':'welcome','session':'z','token':'t9','resumed':false,'reason':"
                    + "'unknownSession','ack':0,'time':0,'heartbeat':25000,'limits':{},"
                    + "'features':['query']},{'type':'error','code':'unknownParameter','message':"
                    + "'','temporary':false,'view':'list','field':'parameters'}]");
            equal(line.last().string("type"), "attach");
            isTrue(!line.last().has("parameters"), line.last());
            line.push("{'type':'attached','view':'list','ack':" + Outbox.seq(line.last()) + "}");
            equal(fixture.list.isAttached(), true);
        });
    }
}
