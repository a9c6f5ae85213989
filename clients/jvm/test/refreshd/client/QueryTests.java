package refreshd.client;

import static refreshd.client.Tests.equal;
import static refreshd.client.Tests.isTrue;

import java.util.Collections;
import java.util.List;
import java.util.Map;

/** Queries that the daemon accepts or refuses, and the items meanwhile. */
final class QueryTests {
    private final Tests tests;

    QueryTests(Tests tests) {
        this.tests = tests;
    }

    void run() {
        parameters();
        clearing();
    }

    private static Map<String, String> q(String value) {
        return Collections.singletonMap("q", value);
    }

    private static String refusal(long seq) {
        return "{'type':'error','code':'invalidParameter','message':'','temporary':false,"
                + "'view':'list','seq':" + seq + "}";
    }

    /** The parameters with which the next connection greets. */
    private static JsonObject greeted(Fixture fixture) {
        return ((JsonObject) fixture.reconnect().hello().array("views").get(0))
                .object("parameters");
    }

    private void parameters() {
        tests.test("Two queries that are refused together leave the query before both.", () -> {
            Fixture fixture = new Fixture().open();
            fixture.list.query(q("good"), null, false);
            fixture.list.query(q("bad 1"), null, false);
            fixture.list.query(q("bad 2"), null, false);
            fixture.daemon.line().push("[" + refusal(2) + "," + refusal(3) + "]");
            equal(greeted(fixture), "{\"q\":\"good\"}");
        });
        tests.test("A query that is refused before an accepted one changes nothing.", () -> {
            Fixture fixture = new Fixture().open();
            fixture.list.query(q("bad"), null, false);
            fixture.list.query(q("good"), null, false);
            fixture.daemon.line().push(refusal(1));
            fixture.daemon.line().push("{'type':'update','view':'list','ack':2}");
            equal(greeted(fixture), "{\"q\":\"good\"}");
        });
        tests.test("A query that is refused after the connection was lost is taken back.", () -> {
            Fixture fixture = new Fixture().open();
            fixture.list.query(q("good"), null, false);
            fixture.daemon.line().push("{'type':'update','view':'list','ack':1}");
            fixture.list.query(q("bad"), null, false);
            FakeDaemon.Line line = fixture.reconnect();
            equal(line.types(), List.of("hello", "configure"));
            line.resumed(2);
            line.push(refusal(2));
            equal(greeted(fixture), "{\"q\":\"good\"}");
        });
    }

    /** A client with patches whose list has two items, and has just made a query. */
    private static Fixture cleared() {
        Fixture fixture = new Fixture().open();
        fixture.daemon.line().push("[{'type':'attached','view':'list','ack':0,'itemKey':'/id',"
                + "'top':{'role':'refresh','state':'idle'}},{'type':'items','view':'list',"
                + "'load':'1.1','mode':'replace','count':2,'items':[{'id':1},{'id':2}]}]");
        fixture.list.query(q("a"), null, true);
        fixture.events.clear();
        equal(fixture.list.items(), "[]");
        return fixture;
    }

    private void clearing() {
        tests.test("A patch on its way fits the items that a query has removed.", () -> {
            Fixture fixture = cleared();
            FakeDaemon.Line line = fixture.daemon.line();
            int sent = line.messages().size();
            line.push("{'type':'items','view':'list','load':'1.2','mode':'patch','count':2,"
                    + "'runs':[{'items':[{'id':3}]},{'from':1,'count':1}]}");
            equal(fixture.list.items(), "[]");
            equal(fixture.events, "[]");
            equal(line.messages().size(), sent);
            line.push("[{'type':'update','view':'list','ack':1,'list':{'count':0,'more':true}},"
                    + "{'type':'items','view':'list','load':'2.1','mode':'append','count':1,"
                    + "'items':[{'id':9}]}]");
            equal(fixture.list.items(), "[{\"id\":9}]");
        });
        tests.test("The first page of a query replaces what the query has removed.", () -> {
            Fixture fixture = cleared();
            fixture.daemon.line().push("[{'type':'update','view':'list','ack':1,'list':{'count':1,"
                    + "'more':true}},{'type':'items','view':'list','load':'2.1','mode':'replace',"
                    + "'count':1,'items':[{'id':9}]}]");
            equal(fixture.list.items(), "[{\"id\":9}]");
            equal(fixture.events, List.of("items"));
        });
        tests.test("A query that is refused brings the removed items back, as one page.", () -> {
            Fixture fixture = cleared();
            FakeDaemon.Line line = fixture.daemon.line();
            line.push("{'type':'items','view':'list','load':'1.2','mode':'append','count':1,"
                    + "'items':[{'id':3}]}");
            line.push(refusal(1));
            equal(fixture.events, List.of("fault invalidParameter", "items"));
            equal(fixture.list.items(), "[{\"id\":1}, {\"id\":2}, {\"id\":3}]");
            line.push("{'type':'items','view':'list','load':'1.3','mode':'patch','count':1,"
                    + "'runs':[{'from':3,'count':1}]}");
            equal(fixture.list.items(), "[{\"id\":3}]");
        });
        tests.test("A fresh session has none of the items that a query has removed.", () -> {
            Fixture fixture = cleared();
            fixture.reconnect().push("{'type':'welcome','session':'z','token':'t9','resumed':false,"
                    + "'reason':'unknownSession','ack':0,'time':0,'heartbeat':25000,'limits':{}}");
            equal(fixture.list.items(), "[]");
            fixture.daemon.line().push("{'type':'items','view':'list','load':'1.1','mode':"
                    + "'append','count':1,'items':[{'id':7}]}");
            equal(fixture.list.items(), "[{\"id\":7}]");
        });
        tests.test("A query equal to the present one removes no items.", () -> {
            Fixture fixture = cleared();
            FakeDaemon.Line line = fixture.daemon.line();
            line.push("[{'type':'update','view':'list','ack':1,'list':{'count':1,'more':true}},"
                    + "{'type':'items','view':'list','load':'2.1','mode':'replace','items':[5]}]");
            fixture.list.query(q("a"), null, true);
            equal(fixture.list.items(), "[5]");
        });
        tests.test("A query is equal to the present one if the one between is refused.", () -> {
            Fixture fixture = cleared();
            fixture.list.query(Collections.emptyMap(), null, true);
            fixture.daemon.line().push(refusal(1));
            equal(fixture.list.items(), "[{\"id\":1}, {\"id\":2}]");
            equal(fixture.events, List.of("discarded", "fault invalidParameter", "items"));
        });
        tests.test("A query between hello and a fresh welcome is sent again.", () -> {
            Fixture fixture = new Fixture().open();
            FakeDaemon.Line line = fixture.reconnect();
            fixture.list.query(q("new"), null, true);
            int sent = line.messages().size();
            line.push("{'type':'welcome','session':'z','token':'t9','resumed':false,'reason':"
                    + "'unknownSession','ack':0,'time':0,'heartbeat':25000,'limits':{},"
                    + "'features':['query']}");
            equal(line.messages().size(), sent + 1);
            equal(line.last().object("parameters"), "{\"q\":\"new\"}");
        });
        tests.test("Items that the app restores are not changed by the app later.", () -> {
            Fixture fixture = cleared();
            List<Object> keys = new java.util.ArrayList<>(List.of(4L));
            fixture.daemon.line().push("{'type':'attached','view':'list','ack':0,"
                    + "'itemKey':'/0'}");
            fixture.list.restoreItems(List.of(keys, List.of("b")));
            keys.set(0, "other");
            fixture.daemon.line().push("{'type':'items','view':'list','load':'1.2','mode':'patch',"
                    + "'count':2,'runs':[{'from':'b','count':1},{'from':4,'count':1}]}");
            equal(fixture.list.items(), "[[b], [4]]");
            isTrue(fixture.events.contains("items"), fixture.events);
        });
    }
}
