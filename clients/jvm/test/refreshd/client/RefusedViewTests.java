package refreshd.client;

import static refreshd.client.Tests.equal;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** A view that the daemon refuses to attach, and the names of views that were detached. */
final class RefusedViewTests {
    private final Tests tests;

    RefusedViewTests(Tests tests) {
        this.tests = tests;
    }

    void run() {
        refusedViews();
        detachedViews();
    }

    private static String refusal(String more) {
        return "{'type':'error','code':'unknownFeed','message':'','temporary':false,'view':'wrong'"
                + more + "}";
    }

    private static RefreshView attach(Fixture fixture) {
        return fixture.client.attach(new ViewOptions("wrong", "default").feed("none"),
                new ViewListener() {}, List.of(Fixture.REFRESH));
    }

    /** A fixture with a second view, which is refused in `hello`. */
    private static final class Refused extends Fixture {
        final RefreshView wrong = attach(this);
        final int sent;

        Refused() {
            open();
            daemon.line().push(refusal(""));
            sent = daemon.line().messages().size();
        }

        List<String> later() {
            return described(daemon.line(), sent);
        }
    }

    /** The types and views of the messages of a line. */
    private static List<String> described(FakeDaemon.Line line, int first) {
        List<String> found = new ArrayList<>();
        for (JsonObject message : line.messages().subList(first, line.messages().size())) {
            found.add(message.string("type") + " " + message.string("view"));
        }
        return found;
    }

    private void refusedViews() {
        tests.test("No message about a refused view is sent, as each would be a fault.", () -> {
            Refused fixture = new Refused();
            for (int offset = 0; offset < 150; offset++) {
                fixture.wrong.scroll(offset, ScrollPhase.DRAGGING);
            }
            fixture.wrong.geometry(new Geometry().content(new Size().width(1).height(2)));
            fixture.wrong.enable(Edge.TOP, false);
            fixture.wrong.finishLoad("1.1", LoadResult.SUCCESS, 1, null, null);
            fixture.list.loadMore();
            equal(fixture.later(), List.of("loadMore list"));
        });
        tests.test("The next hello attaches a refused view with all that has changed.", () -> {
            Refused fixture = new Refused();
            fixture.wrong.scroll(40, ScrollPhase.DRAGGING);
            fixture.wrong.disappear();
            fixture.wrong.query(Collections.singletonMap("q", "new"), null, true);
            FakeDaemon.Line line = fixture.reconnect();
            JsonObject body = (JsonObject) line.hello().array("views").get(1);
            equal(body.object("parameters"), "{\"q\":\"new\"}");
            equal(body.number("offset"), 40.0);
            line.resumed(0);
            line.push("{'type':'attached','view':'wrong','ack':0,'inset':{'top':0}}");
            equal(described(line, 1), List.of("refresh wrong", "disappear wrong"));
            fixture.wrong.loadMore();
            equal(described(line, 3), List.of("loadMore wrong"));
        });
        tests.test("Requests without a connection wait for the next attachment.", () -> {
            Refused fixture = new Refused();
            fixture.daemon.line().listener.onClosed(1006, "");
            fixture.wrong.setFloor(true);
            fixture.clock.advance(fixture.client.retryInMs());
            FakeDaemon.Line line = fixture.daemon.line();
            line.listener.onOpen();
            equal(described(line, 1), List.of("floor wrong", "refresh wrong"));
            line.resumed(0);
            line.push(refusal(""));
            fixture.wrong.loadMore();
            equal(described(line, 3), List.of());
        });
        tests.test("A view is refused only by the fault of its own attach.", () -> {
            Fixture fixture = new Fixture().open();
            RefreshView wrong = attach(fixture);
            FakeDaemon.Line line = fixture.daemon.line();
            line.push(refusal(",'seq':9"));
            wrong.loadMore();
            line.push(refusal(",'seq':1"));
            wrong.loadMore();
            equal(described(line, 1),
                    List.of("attach wrong", "refresh wrong", "loadMore wrong"));
            wrong.detach();
            RefreshView again = attach(fixture);
            equal(described(line, 4), List.of("attach wrong", "refresh wrong"));
            line.push("{'type':'attached','view':'wrong','ack':5}");
            again.loadMore();
            equal(described(line, 6), List.of("loadMore wrong"));
        });
        tests.test("Faults that follow from a refused view are not reported.", () -> {
            Refused fixture = new Refused();
            fixture.events.clear();
            fixture.daemon.line().push("{'type':'error','code':'unknownView','message':'',"
                    + "'temporary':false,'view':'wrong','seq':1}");
            equal(fixture.events, List.of());
        });
    }

    private void detachedViews() {
        tests.test("A request of a view that hello leaves out is sent again.", () -> {
            Fixture fixture = new Fixture().open();
            fixture.list.detach();
            fixture.client.attach(new ViewOptions("list", "default").feed("news"), fixture,
                    List.of(Fixture.REFRESH));
            long handled = Outbox.seq(fixture.daemon.line().last());
            FakeDaemon.Line line = fixture.reconnect();
            equal(line.hello().array("views"), "[]");
            line.push("{'type':'welcome','session':'s','token':'t2','resumed':true,'ack':"
                    + handled + ",'time':0,'heartbeat':25000,'limits':{}}");
            equal(described(line, 1), List.of("attach list", "refresh list"));
            equal(Outbox.seq(line.last()) > handled + 1, true);
        });
        tests.test("Names of detached views are forgotten when no session has them.", () -> {
            Fixture fixture = new Fixture().open();
            FakeDaemon.Line line = fixture.daemon.line();
            line.push("{'type':'snapshot','ack':0,'expires':1,'sealed':'v2.a'}");
            for (int number = 0; number < 100; number++) {
                fixture.client.attach(new ViewOptions("view " + number, "default"),
                        new ViewListener() {}).detach();
            }
            long last = Outbox.seq(line.last());
            line.push("{'type':'update','view':'list','ack':" + last + "}");
            equal(fixture.client.saveState().contains("view 99"), true);
            line.push("{'type':'snapshot','ack':" + last + ",'expires':1,'sealed':'v2.a'}");
            equal(fixture.client.saveState().contains("view "), false);
            fixture.reconnect();
            equal(fixture.client.saveState().contains("view "), false);
        });
    }
}
