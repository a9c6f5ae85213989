package refreshd.client;

import static refreshd.client.Tests.equal;
import static refreshd.client.Tests.isTrue;

import java.net.URI;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** A session that outlives its process. */
final class SavedStateTests {
    private final Tests tests;

    SavedStateTests(Tests tests) {
        this.tests = tests;
    }

    /** A client of a later process, with the view of the earlier one. */
    private static final class Process {
        final FakeDaemon daemon = new FakeDaemon();
        final RefreshClient client;
        final RefreshView list;

        Process(String state) {
            client = RefreshClient.builder(URI.create("ws://127.0.0.1/v1/session"), daemon)
                    .executor(Runnable::run).scheduler(new ManualScheduler())
                    .features(Feature.QUERY, Feature.UNREAD).resume(state).build();
            list = client.attach(new ViewOptions("list", "default").feed("packages"),
                    new ViewListener() {}, Collections.singletonList(Fixture.REFRESH));
        }

        FakeDaemon.Line connect() {
            client.foreground();
            daemon.line().listener.onOpen();
            return daemon.line();
        }
    }

    private static Fixture first() {
        Fixture fixture = new Fixture(
                new Random(1), Collections.singletonList(Fixture.REFRESH)).open();
        fixture.daemon.line().push("[{'type':'items','view':'list','load':'1.1','mode':'replace',"
                + "'items':[1]},{'type':'snapshot','ack':1,'sealed':'v2.x'}]");
        return fixture;
    }

    void run() {
        tests.test("A later process resumes with the token, the loads and the snapshot.", () -> {
            Fixture first = first();
            first.client.background();
            Process later = new Process(first.client.saveState());
            FakeDaemon.Line line = later.connect();
            equal(line.hello().object("resume"), "{\"session\":\"s\",\"token\":\"t1\",\"ack\":1,"
                    + "\"received\":[\"1.1\"],\"snapshot\":\"v2.x\"}");
            equal(line.types(), List.of("hello"));
            line.resumed(1);
            equal(line.types(), List.of("hello", "disappear", "appear"));
            isTrue(Outbox.seq(line.messages().get(1)) == 2, line.messages());
            isTrue(Outbox.seq(line.last()) > 2, line.last());
        });
        tests.test("After it has resumed, a later process adds pages to the app's items.", () -> {
            Process later = new Process(first().client.saveState());
            later.list.restoreItems(List.of(1));
            FakeDaemon.Line line = later.connect();
            line.resumed(1);
            later.list.loadMore();
            equal(line.types(), List.of("hello", "loadMore"));
            line.push("{'type':'items','view':'list','load':'1.2','mode':'append','items':[2]}");
            equal(later.list.items(), "[1, 2]");
            equal(later.list.isAttached(), true);
        });
        tests.test("Requests that wait with a saved state are sent by a later process.", () -> {
            Fixture first = first();
            first.daemon.line().listener.onClosed(1006, "");
            first.list.refresh();
            FakeDaemon.Line line = new Process(first.client.saveState()).connect();
            equal(line.types(), List.of("hello", "refresh"));
            equal(Outbox.seq(line.last()), 2);
        });
        tests.test("If the session cannot be resumed, a later process begins a fresh one.", () -> {
            Process later = new Process(first().client.saveState());
            later.list.restoreItems(List.of(1));
            FakeDaemon.Line line = later.connect();
            line.push("{'type':'welcome','session':'z','token':'t9','resumed':false,"
                    + "'reason':'snapshotExpired','ack':0,'time':0,'heartbeat':25000,"
                    + "'limits':{}}");
            equal(line.types(), List.of("hello", "refresh"));
            equal(later.client.welcome().reason(), FreshReason.SNAPSHOT_EXPIRED);
            equal(later.list.items(), "[1]");
        });
        tests.test("A later process that lacks a view drops its messages.", () -> {
            Fixture first = first();
            RefreshView other = first.client.attach(
                    new ViewOptions("other", "default"), new ViewListener() {});
            first.daemon.line().listener.onClosed(1006, "");
            other.refresh();
            equal(new Process(first.client.saveState()).connect().types(), List.of("hello"));
        });
        tests.test("A state can be saved again by the process that has restored it.", () -> {
            Process later = new Process(first().client.saveState());
            later.connect().push("[{'type':'welcome','session':'s','token':'t2','resumed':true,"
                    + "'ack':1,'time':0,'heartbeat':25000,'limits':{}},{'type':'attached',"
                    + "'view':'list','ack':1},{'type':'update','view':'list','ack':1,"
                    + "'list':{'count':1,'more':false}}]");
            equal(later.list.hasMore(), false);
            later.client.background();
            JsonObject resume = new Process(later.client.saveState()).connect().hello()
                    .object("resume");
            equal(resume.string("token"), "t2");
            equal(resume.array("received"), "[1.1]");
        });
        tests.test("Numbers that were used after a state was saved are not used again.", () -> {
            Fixture first = first();
            String state = first.client.saveState();
            for (int count = 0; count < 5000; count++) {
                first.list.refresh();
            }
            long last = Outbox.seq(first.daemon.line().last());
            for (long handled : new long[] {1, last, 5_000_000}) {
                Process later = new Process(state);
                later.list.markRead("kept");
                FakeDaemon.Line line = later.connect();
                line.resumed(handled);
                later.list.refresh();
                equal(line.last().string("type"), "refresh");
                isTrue(Outbox.seq(line.last()) > Math.max(last, handled), line.last());
            }
        });
        tests.test("A replaced view of a saved state does not continue the earlier one.", () -> {
            Process later = new Process(first().client.saveState());
            RefreshView other = later.client.attach(
                    new ViewOptions("list", "default").feed("other"), new ViewListener() {});
            other.refresh();
            FakeDaemon.Line line = later.connect();
            equal(line.hello().array("views"), "[]");
            line.resumed(1);
            equal(line.types(), List.of("hello", "attach", "refresh"));
            equal(line.messages().get(1).string("feed"), "other");
        });
        tests.test("A view that a later process attaches after welcome begins anew.", () -> {
            Fixture first = first();
            first.client.attach(new ViewOptions("other", "default"), new ViewListener() {});
            Process later = new Process(first.client.saveState());
            FakeDaemon.Line line = later.connect();
            line.resumed(1);
            later.client.attach(new ViewOptions("other", "default"), new ViewListener() {},
                    Collections.singletonList(Fixture.REFRESH));
            equal(line.types(), List.of("hello", "attach", "refresh"));
        });
        tests.test("A state whose numbers are not those of a session is ignored.", () -> {
            for (String seq : new String[] {"-5", "9007199254740990", "1e300"}) {
                FakeDaemon.Line line = new Process(first().client.saveState()
                        .replaceFirst("\"seq\":[0-9]+", "\"seq\":" + seq)).connect();
                isTrue(!line.hello().has("resume"), line.hello());
            }
        });
        tests.test("Without a session there is no state, and a strange state does nothing.", () -> {
            equal(new Fixture().client.saveState(), null);
            Fixture closed = first();
            closed.client.close();
            equal(closed.client.saveState(), null);
            for (String state : new String[] {null, "", "[", "{}", "{\"version\":1}",
                "{\"version\":2,\"resume\":1,\"queue\":{}}",
                "{\"version\":2,\"resume\":{},\"queue\":{\"messages\":[1],\"views\":[]}}"}) {
                FakeDaemon.Line line = new Process(state).connect();
                isTrue(!line.hello().has("resume"), line.hello());
                equal(line.types(), List.of("hello", "refresh"));
            }
        });
    }
}
