package refreshd.client;

import static refreshd.client.Tests.equal;
import static refreshd.client.Tests.isTrue;

import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;

/** What a client sends again, and what it drops (protocol page, "Coming back"). */
final class ResumptionTests {
    private final Tests tests;

    ResumptionTests(Tests tests) {
        this.tests = tests;
    }

    void run() {
        greeting();
        repeating();
        freshSessions();
        viewsMeanwhile();
    }

    private void greeting() {
        tests.test("The first frame has hello, the views and their initial messages.", () -> {
            Fixture fixture = new Fixture(
                    new Random(1), Collections.singletonList(Fixture.REFRESH));
            fixture.list.loadMore();
            fixture.client.connect();
            fixture.daemon.line().listener.onOpen();
            equal(fixture.daemon.line().frames.size(), 1);
            equal(fixture.daemon.line().types(), List.of("hello", "refresh", "loadMore"));
            equal(seqs(fixture.daemon.line()), List.of(0L, 1L, 2L));
            isTrue(!fixture.daemon.line().hello().has("resume"), fixture.daemon.line().hello());
        });
        tests.test("Between hello and welcome nothing is sent.", () -> {
            Fixture fixture = new Fixture();
            fixture.client.connect();
            fixture.daemon.line().listener.onOpen();
            fixture.list.refresh();
            equal(fixture.daemon.line().types(), List.of("hello"));
            fixture.daemon.line().welcome();
            equal(fixture.daemon.line().types(), List.of("hello", "refresh"));
        });
        tests.test("A resume has the last token, ack, loads and snapshot.", () -> {
            Fixture fixture = new Fixture().open();
            fixture.daemon.line().push("[{'type':'items','view':'list','load':'1.1','mode':"
                    + "'replace','items':[1]},{'type':'snapshot','ack':7,'sealed':'v2.x'}]");
            JsonObject resume = fixture.reconnect().hello().object("resume");
            equal(resume, "{\"session\":\"s\",\"token\":\"t1\",\"ack\":7,\"received\":[\"1.1\"],"
                    + "\"snapshot\":\"v2.x\"}");
            fixture.daemon.line().push("{'type':'snapshot','ack':8,'sealed':null}");
            isTrue(!fixture.reconnect().hello().object("resume").has("snapshot"), "a snapshot");
        });
    }

    private static List<Long> seqs(FakeDaemon.Line line) {
        return line.messages().stream().map(Outbox::seq).collect(Collectors.toList());
    }

    private void repeating() {
        tests.test("A request is repeated after hello until an ack covers it.", () -> {
            Fixture fixture = new Fixture().open();
            fixture.list.refresh();
            FakeDaemon.Line second = fixture.reconnect();
            equal(second.types(), List.of("hello", "refresh"));
            equal(Outbox.seq(second.last()), 1);
            second.resumed(1);
            equal(fixture.reconnect().types(), List.of("hello"));
        });
        tests.test("With a snapshot, only the ack of the snapshot ends the repetition.", () -> {
            Fixture fixture = new Fixture().open();
            fixture.daemon.line().push("{'type':'snapshot','ack':0,'sealed':'v2.x'}");
            fixture.list.refresh();
            fixture.daemon.line().push("{'type':'update','view':'list','ack':1}");
            equal(fixture.reconnect().types(), List.of("hello", "refresh"));
            fixture.daemon.line().resumed(1);
            fixture.daemon.line().push("{'type':'snapshot','ack':1,'sealed':'v2.y'}");
            equal(fixture.reconnect().types(), List.of("hello"));
        });
        tests.test("Of a gesture the first, the newest moving and the last sample remain.", () -> {
            Fixture fixture = new Fixture().open();
            fixture.list.scroll(0, ScrollPhase.BEGAN);
            for (int step = 1; step <= 200; step++) {
                fixture.list.scroll(-step, ScrollPhase.DRAGGING);
            }
            fixture.list.scroll(-200, ScrollPhase.ENDED);
            List<JsonObject> repeated = fixture.reconnect().messages();
            equal(repeated.stream().skip(1).map(one -> one.string("phase"))
                    .collect(Collectors.toList()), List.of("began", "dragging", "ended"));
            equal(repeated.get(2).number("offset"), -200.0);
        });
        tests.test("A new gesture replaces the samples of the one before it.", () -> {
            Fixture fixture = new Fixture().open();
            fixture.list.scroll(0, ScrollPhase.BEGAN);
            fixture.list.scroll(0, ScrollPhase.ENDED);
            fixture.list.refresh();
            fixture.list.scroll(5, ScrollPhase.BEGAN);
            equal(fixture.reconnect().types(), List.of("hello", "refresh", "scroll"));
        });
        tests.test("No frame exceeds the limits of messages and bytes.", () -> {
            Fixture fixture = new Fixture().open();
            for (int item = 0; item < 150; item++) {
                fixture.list.markRead("i" + item + "x".repeat(1000));
            }
            FakeDaemon.Line line = fixture.reconnect();
            line.resumed(0);
            for (List<JsonObject> frame : line.frames) {
                int bytes = Json.write(frame).length();
                isTrue(frame.size() <= 64 && bytes <= 65_536, frame.size() + ", " + bytes);
            }
            equal(line.types().stream().filter("read"::equals).count(), 150);
            equal(seqs(line).stream().skip(1).collect(Collectors.toList()),
                    seqs(line).stream().skip(1).sorted().collect(Collectors.toList()));
        });
        tests.test("The outbox is bounded.", () -> {
            Fixture fixture = new Fixture().open();
            for (int count = 0; count < 3 * Outbox.MESSAGES_MAX; count++) {
                fixture.list.refresh();
            }
            fixture.reconnect().resumed(0);
            equal(fixture.daemon.line().types().size(), 1 + Outbox.MESSAGES_MAX);
        });
    }

    private void freshSessions() {
        tests.test("A refused resumption ends the views and begins anew.", () -> {
            Fixture fixture = new Fixture(
                    new Random(1), Collections.singletonList(Fixture.REFRESH)).open();
            fixture.list.loadMore();
            FakeDaemon.Line line = fixture.reconnect();
            equal(line.types(), List.of("hello", "refresh"));
            fixture.list.retry(Edge.BOTTOM);
            fixture.events.clear();
            line.push("{'type':'welcome','protocol':1,'session':'z','token':'t9','resumed':false,"
                    + "'reason':'unknownSession','ack':0,'time':0,'heartbeat':25000,'limits':{}}");
            equal(fixture.events, List.of("ended", "OPEN"));
            equal(fixture.client.welcome().reason(), FreshReason.UNKNOWN_SESSION);
            equal(line.types(), List.of("hello", "refresh", "refresh"));
            equal(Outbox.seq(line.last()), 4);
            line.push("{'type':'error','code':'nothingToRetry','message':'','temporary':false,"
                    + "'view':'list','seq':1}");
            isTrue(!fixture.events.contains("fault nothingToRetry"), fixture.events);
        });
        tests.test("Requests about a list follow welcome if its session is resumed.", () -> {
            Fixture fixture = new Fixture(
                    new Random(1), Collections.singletonList(Fixture.REFRESH)).open();
            fixture.daemon.line().push("{'type':'update','view':'list','ack':1}");
            fixture.list.loadMore();
            fixture.list.cancel(Edge.BOTTOM);
            FakeDaemon.Line line = fixture.reconnect();
            equal(line.types(), List.of("hello"));
            line.resumed(1);
            equal(line.types(), List.of("hello", "loadMore", "cancel"));
        });
        tests.test("What follows a request about a list waits with it, in its order.", () -> {
            Fixture fixture = new Fixture(
                    new Random(1), Collections.singletonList(Fixture.REFRESH)).open();
            fixture.list.markRead("a");
            fixture.list.loadMore();
            fixture.list.markRead("b");
            FakeDaemon.Line line = fixture.reconnect();
            equal(line.types(), List.of("hello", "refresh", "read"));
            line.resumed(2);
            equal(seqs(line), List.of(0L, 1L, 2L, 3L, 4L));
        });
        tests.test("A fresh session with an initial load has no requests of the last one.", () -> {
            Fixture fixture = new Fixture().open();
            RefreshView other = fixture.client.attach(
                    new ViewOptions("other", "default").initial(Initial.LOAD),
                    new ViewListener() {});
            other.loadMore();
            FakeDaemon.Line line = fixture.reconnect();
            line.push("{'type':'welcome','session':'z','token':'t9','resumed':false,"
                    + "'reason':'wrongToken','ack':0,'time':0,'heartbeat':25000,'limits':{}}");
            equal(line.types(), List.of("hello"));
        });
        tests.test("After the end of a session, its views begin with their first messages.", () -> {
            Fixture fixture = openWithoutToken();
            fixture.daemon.line().listener.onClosed(1006, "");
            fixture.list.loadMore();
            fixture.clock.advance(fixture.client.retryInMs());
            fixture.daemon.line().listener.onOpen();
            equal(fixture.daemon.line().types(), List.of("hello", "refresh", "loadMore"));
        });
        tests.test("Without a token the next connection begins a fresh session.", () -> {
            Fixture fixture = openWithoutToken();
            fixture.list.loadMore();
            FakeDaemon.Line line = fixture.reconnect();
            isTrue(fixture.events.contains("ended"), fixture.events);
            isTrue(!line.hello().has("resume"), line.hello());
            equal(line.types(), List.of("hello", "refresh"));
        });
        tests.test("A list that was reset meanwhile is reported as discarded.", () -> {
            Fixture fixture = new Fixture().open();
            fixture.daemon.line().push(
                    "{'type':'items','view':'list','load':'1.1','mode':'replace','items':[1]}");
            fixture.reconnect().resumed(0);
            isTrue(fixture.events.contains("discarded"), fixture.events);
            equal(fixture.list.items(), "[1]");
            equal(fixture.reconnect().hello().object("resume").array("received"), "[]");
        });
    }

    private void viewsMeanwhile() {
        tests.test("A view that is attached meanwhile is in hello, its messages follow.", () -> {
            Fixture fixture = new Fixture().open();
            fixture.daemon.line().listener.onClosed(1006, "");
            RefreshView other = fixture.client.attach(
                    new ViewOptions("other", "default"), new ViewListener() {});
            other.refresh();
            fixture.clock.advance(fixture.client.retryInMs());
            fixture.daemon.line().listener.onOpen();
            equal(fixture.daemon.line().hello().array("views").size(), 2);
            equal(fixture.daemon.line().types(), List.of("hello", "refresh"));
        });
        tests.test("A view that replaces a detached one is attached after welcome.", () -> {
            Fixture fixture = new Fixture().open();
            fixture.list.refresh();
            fixture.daemon.line().listener.onClosed(1006, "");
            fixture.list.detach();
            RefreshView again = fixture.client.attach(
                    new ViewOptions("list", "default"), new ViewListener() {});
            again.loadMore();
            fixture.clock.advance(fixture.client.retryInMs());
            FakeDaemon.Line line = fixture.daemon.line();
            line.listener.onOpen();
            equal(line.hello().array("views"), "[]");
            equal(line.types(), List.of("hello"));
            line.resumed(1);
            equal(line.types(), List.of("hello", "attach", "loadMore"));
        });
        tests.test("A view that was replaced just before a loss is not continued.", () -> {
            Fixture fixture = new Fixture().open();
            fixture.list.detach();
            RefreshView again = fixture.client.attach(
                    new ViewOptions("list", "default").feed("other"), new ViewListener() {});
            again.loadMore();
            FakeDaemon.Line line = fixture.reconnect();
            equal(line.hello().array("views"), "[]");
            equal(line.types(), List.of("hello"));
            line.resumed(0);
            equal(line.types(), List.of("hello", "attach", "loadMore"));
            line.push("[{'type':'attached','view':'list','ack':5,'generation':2},"
                    + "{'type':'update','view':'list','ack':5}]");
            equal(fixture.reconnect().hello().array("views").size(), 1);
        });
        tests.test("A detach whose delivery is not certain makes room for no other view.", () -> {
            Fixture fixture = new Fixture().open();
            fixture.list.detach();
            fixture.daemon.line().listener.onClosed(1006, "");
            fixture.client.attach(
                    new ViewOptions("list", "default").feed("other"), new ViewListener() {});
            fixture.clock.advance(fixture.client.retryInMs());
            FakeDaemon.Line line = fixture.daemon.line();
            line.listener.onOpen();
            equal(line.hello().array("views"), "[]");
            line.resumed(1);
            equal(line.types(), List.of("hello", "attach"));
            equal(line.last().string("feed"), "other");
        });
        tests.test("Messages about an earlier view of a name do not reach the later one.", () -> {
            Fixture fixture = new Fixture().open();
            List<String> events = new java.util.ArrayList<>();
            RefreshView again = fixture.client.attach(
                    new ViewOptions("list", "default").feed("other"), new ViewListener() {
                        @Override
                        public void onFault(RefreshView view, Fault fault) {
                            events.add(fault.codeName());
                        }
                    });
            FakeDaemon.Line line = fixture.daemon.line();
            equal(line.types(), List.of("hello", "detach", "attach"));
            line.push("[{'type':'attached','view':'list','ack':0},{'type':'items','view':'list',"
                    + "'load':'1.1','mode':'replace','items':[1]},{'type':'error','view':'list',"
                    + "'code':'unknownLoad','message':'','temporary':false,'seq':1}]");
            equal(again.items(), "[]");
            equal(again.isAttached(), false);
            equal(events, "[]");
            line.push("[{'type':'attached','view':'list','ack':2},{'type':'items','view':'list',"
                    + "'load':'2.1','mode':'replace','items':[2]}]");
            equal(again.items(), "[2]");
            equal(fixture.reconnect().hello().object("resume").array("received"), "[2.1]");
        });
        tests.test("A view that is detached between hello and welcome is detached then.", () -> {
            Fixture fixture = new Fixture().open();
            FakeDaemon.Line line = fixture.reconnect();
            fixture.list.detach();
            line.push("{'type':'welcome','session':'z','token':'t9','resumed':false,"
                    + "'reason':'wrongToken','ack':0,'time':0,'heartbeat':25000,'limits':{}}");
            equal(line.types(), List.of("hello", "detach"));
        });
        tests.test("A layout without a connection is reported by hello, or after welcome.", () -> {
            Fixture fixture = new Fixture().open();
            fixture.list.scroll(50, ScrollPhase.DECELERATING);
            fixture.daemon.line().listener.onClosed(1006, "");
            fixture.list.geometry(new Geometry().insets(new Sides().bottom(34)).offset(20));
            fixture.clock.advance(fixture.client.retryInMs());
            FakeDaemon.Line line = fixture.daemon.line();
            line.listener.onOpen();
            JsonObject view = (JsonObject) line.hello().array("views").get(0);
            equal(view.object("geometry"), "{\"viewport\":{\"width\":390,\"height\":800},"
                    + "\"insets\":{\"bottom\":34}}");
            equal(view.number("offset"), 20.0);
            line.resumed(0);
            equal(line.types(), List.of("hello", "scroll", "geometry"));
            equal(line.last().number("offset"), 20.0);
        });
    }

    /** A client with a view that refreshes first, whose session cannot be resumed. */
    private static Fixture openWithoutToken() {
        Fixture fixture = new Fixture(new Random(1), Collections.singletonList(Fixture.REFRESH));
        fixture.client.connect();
        fixture.daemon.line().listener.onOpen();
        fixture.daemon.line().push(
                "[{'type':'welcome','session':'s','time':0,'heartbeat':25000,'limits':{}},"
                + "{'type':'attached','view':'list','ack':0}]");
        return fixture;
    }
}
