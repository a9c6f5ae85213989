package refreshd.client;

import static refreshd.client.Tests.equal;
import static refreshd.client.Tests.fails;
import static refreshd.client.Tests.isTrue;

import java.net.URI;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** The edits of a view: what is shown, what is sent, and what another process continues. */
final class EditTests {
    private static final String VIEW = "{'type':'attached','view':'list','ack':0,'generation':1,"
            + "'itemKey':'/id','edits':['insert','update','remove','move'],"
            + "'top':{'role':'refresh','state':'idle'}}";

    private final Tests tests;

    EditTests(Tests tests) {
        this.tests = tests;
    }

    void run() {
        shown();
        refused();
        sent();
        saved();
        tests.test("After random edits, losses and resumes, the list is that of a simple model.",
                () -> new RandomEdits().run());
    }

    /** A view with keys and the items 1, 2 and 3. */
    private static Fixture listing() {
        Fixture fixture = new Fixture().open();
        fixture.daemon.line().push(VIEW);
        replace(fixture, "1,2,3");
        fixture.events.clear();
        return fixture;
    }

    /** The message that replaces the list by items with these keys. */
    static String replaced(String keys) {
        StringBuilder items = new StringBuilder();
        int count = 0;
        for (String key : keys.isEmpty() ? new String[0] : keys.split(",")) {
            items.append(count++ == 0 ? "" : ",").append("{'id':").append(key).append('}');
        }
        return "{'type':'items','view':'list','load':'1.1','mode':'replace','more':false,'count':"
                + count + ",'items':[" + items + "]}";
    }

    private static void replace(Fixture fixture, String keys) {
        fixture.daemon.line().push(replaced(keys));
    }

    static String operated(int count, String operations) {
        return "{'type':'items','view':'list','load':'1.2','mode':'patch','more':false,'count':"
                + count + ",'operations':" + operations + "}";
    }

    static String edited(String name, String rest) {
        return "{'type':'edited','view':'list','edit':'" + name + "','result':" + rest + "}";
    }

    static JsonObject operation(String text) {
        try {
            return JsonObject.parse(text.replace('\'', '"'));
        } catch (JsonException damaged) {
            throw new AssertionError(text, damaged);
        }
    }

    private static String edit(Fixture fixture, String operation) {
        return fixture.list.edit(operation(operation), 0);
    }

    static String keys(List<Object> items) {
        List<String> found = new ArrayList<>();
        for (Object item : items) {
            found.add(Json.write(((JsonObject) item).get("id")));
        }
        return String.join(",", found);
    }

    private static void shows(Fixture fixture, String keys) {
        equal(keys(fixture.list.items()), keys);
    }

    /** The types and the names of the edits that a connection has carried. */
    private static List<String> sent(FakeDaemon.Line line) {
        List<String> sent = new ArrayList<>();
        for (JsonObject message : line.messages()) {
            if (message.has("edit")) {
                sent.add(message.string("type") + " " + message.string("edit"));
            }
        }
        return sent;
    }

    /** The names of the edits that a connection has carried as repeated. */
    private static List<String> repeated(FakeDaemon.Line line) {
        List<String> names = new ArrayList<>();
        for (JsonObject message : line.messages()) {
            if (message.flag("repeated", false)) {
                names.add(message.string("edit"));
            }
        }
        return names;
    }

    private void shown() {
        tests.test("An edit is shown at once, and sent with a new name.", () -> {
            Fixture fixture = listing();
            String name = fixture.list.edit(operation("{'insert':{'id':4},'at':'end'}"), 500);
            isTrue(name.matches("[0-9a-f]{8}-[0-9a-f-]{27}"), name);
            shows(fixture, "1,2,3,4");
            equal(keys(fixture.list.receivedItems()), "1,2,3");
            JsonObject message = fixture.daemon.line().last();
            equal(message.toBuilder().remove("seq").build(), "{\"type\":\"edit\",\"view\":\"list\","
                    + "\"edit\":\"" + name + "\",\"operation\":{\"insert\":{\"id\":4},\"at\":"
                    + "\"end\"},\"delayMs\":500}");
            equal(fixture.list.pendingEdits(), List.of(name));
            equal(fixture.list.acceptedEdits(), "[insert, update, remove, move]");
            isTrue(fixture.list.items() == fixture.list.items(), "the list is made again");
        });
        tests.test("An edit that does not fit is left out while it does not fit.", () -> {
            Fixture fixture = listing();
            edit(fixture, "{'move':9,'at':'start'}");
            fixture.list.edit(operation("{'remove':2}"), 0, "edit-remove");
            edit(fixture, "{'insert':{'id':4},'before':1}");
            shows(fixture, "4,1,3");
            replace(fixture, "1,2,9");
            shows(fixture, "9,4,1");
            replace(fixture, "2");
            shows(fixture, "");
            fixture.daemon.line().push(edited("edit-remove", "'rolledBack','code':'undone'"));
            shows(fixture, "2");
        });
        tests.test("An insert of an item that the list has counts as update.", () -> {
            Fixture fixture = listing();
            edit(fixture, "{'insert':{'id':2,'text':'new'},'at':'start'}");
            shows(fixture, "1,2,3");
            equal(((JsonObject) fixture.list.items().get(1)).string("text"), "new");
        });
        tests.test("The refresh of one item changes nothing until its answer.", () -> {
            Fixture fixture = new Fixture().open();
            fixture.daemon.line().push(VIEW.replace("'insert'", "'refresh','insert'"));
            replace(fixture, "1,2,3");
            String refreshed = edit(fixture, "{'refresh':2}");
            equal(fixture.daemon.line().last().object("operation"), "{\"refresh\":2}");
            String gone = edit(fixture, "{'refresh':3}");
            shows(fixture, "1,2,3");
            fixture.daemon.line().push("[" + operated(3, "[{'update':{'id':2,'text':'new'}}]") + ","
                    + edited(refreshed, "'replaced','key':2") + "]");
            equal(((JsonObject) fixture.list.items().get(1)).string("text"), "new");
            fixture.daemon.line().push("[" + operated(2, "[{'remove':3}]") + ","
                    + edited(gone, "'confirmed'") + "]");
            shows(fixture, "1,2");
            equal(fixture.list.pendingEdits(), List.of());
        });
        tests.test("An item and the answer of a frame are shown together.", () -> {
            Fixture[] made = new Fixture[1];
            List<String> seen = new ArrayList<>();
            made[0] = new Fixture() {
                @Override
                public void onItems(RefreshView view, Page page) {
                    seen.add("items " + keys(view.items()));
                }

                @Override
                public void onUpdate(RefreshView view, Update update) {
                    seen.add("update " + keys(view.items()));
                }

                @Override
                public void onEdited(RefreshView view, Edited edited) {
                    seen.add(edited.result() + " " + edited.key() + " " + keys(view.items()));
                }
            }.open();
            Fixture fixture = made[0];
            fixture.daemon.line().push(VIEW);
            replace(fixture, "1");
            String name = edit(fixture, "{'insert':{'id':2},'at':'start'}");
            seen.clear();
            String frame = "[{'type':'update','view':'list','ack':1,'list':{'count':2}},"
                    + operated(2, "[{'insert':{'id':9},'at':'start'}]") + ","
                    + edited(name, "'replaced','key':9") + "]";
            fixture.daemon.line().push(frame);
            equal(seen, "[update 9,1, items 9,1, REPLACED 9 9,1]");
            fixture.daemon.line().push(edited(name, "'replaced','key':9"));
            equal(seen.size(), 3); // the answer was repeated
        });
        tests.test("In a reversed view the start is behind the last item.", () -> {
            PendingEdits edits = new PendingEdits(true);
            edits.attach("/id", Collections.emptyList());
            List<Object> items = new ArrayList<>();
            items.add(operation("{'id':1}"));
            items.add(operation("{'id':2}"));
            edits.add("edit-one", operation("{'insert':{'id':3},'at':'start'}"), 0);
            edits.add("edit-two", operation("{'move':1,'at':'start'}"), 0);
            edits.add("edit-three", operation("{'insert':{'id':4},'at':'end'}"), 0);
            edits.add("edit-four", operation("{'insert':{'id':5},'before':2}"), 0);
            equal(keys(edits.applied(items)), "4,5,2,3,1");
        });
    }

    private void refused() {
        tests.test("A wrong edit is refused, and changes nothing.", () -> {
            Fixture fixture = listing();
            StringBuilder texts = new StringBuilder("'" + "x".repeat(900) + "'");
            for (int index = 0; index < 20; index++) {
                texts.append(",'").append("x".repeat(900)).append("'");
            }
            String[] wrong = {
                "{}", "{'remove':1,'move':2}", "{'insert':{'id':4}}", "{'update':5}",
                "{'insert':{'id':4},'at':'top'}", "{'insert':{'id':4},'at':'end','before':1}",
                "{'remove':1,'at':'end'}", "{'remove':null}", "{'move':1,'after':true}",
                "{'insert':{'text':'no key'},'at':'end'}", "{'update':{'id':1.5}}",
                "{'update':{'id':1,'texts':[" + texts + "]}}", "{'move':1}",
                "{'update':{'id':1,'text':'" + "x".repeat(1025) + "'}}"};
            for (String operation : wrong) {
                fails(IllegalArgumentException.class, () -> edit(fixture, operation));
            }
            JsonObject remove = operation("{'remove':1}");
            fails(IllegalArgumentException.class, () -> fixture.list.edit(remove, -1));
            fails(IllegalArgumentException.class, () -> fixture.list.edit(remove, 60_001));
            for (String name : new String[] {"short", "ääääääää", "x".repeat(65), "with space"}) {
                fails(IllegalArgumentException.class, () -> fixture.list.edit(remove, 0, name));
            }
            shows(fixture, "1,2,3");
            equal(sent(fixture.daemon.line()), "[]");
            fixture.list.edit(remove, 0, "edit-twice");
            fails(IllegalArgumentException.class, () -> fixture.list.edit(remove, 0, "edit-twice"));
        });
        tests.test("An edit that the feed does not accept is refused.", () -> {
            Fixture fixture = listing();
            fixture.daemon.line().push(VIEW.replace("'insert','update','remove','move'",
                    "'insert'"));
            fails(IllegalArgumentException.class, () -> edit(fixture, "{'remove':1}"));
            fixture.daemon.line().push(VIEW.replace("'edits':['insert','update','remove','move'],",
                    ""));
            fails(IllegalArgumentException.class,
                    () -> edit(fixture, "{'insert':{'id':4},'at':'end'}"));
        });
        tests.test("Edits need their features.", () -> {
            FakeDaemon daemon = new FakeDaemon();
            RefreshClient client = RefreshClient.builder(URI.create("ws://h/"), daemon)
                    .executor(Runnable::run).scheduler(new ManualScheduler())
                    .features(Feature.PATCH, Feature.EDITS).build();
            RefreshView list = client.attach(
                    new ViewOptions("list", "default").feed("packages"), new ViewListener() {});
            fails(IllegalStateException.class, () -> list.edit(operation("{'remove':1}"), 0));
            Fixture fixture = new Fixture();
            fixture.client.connect();
            fixture.daemon.line().listener.onOpen();
            fixture.daemon.line().push("[{'type':'welcome','protocol':1,'session':'s','token':'t',"
                    + "'features':['patch','live'],'limits':{}}," + VIEW + "]");
            fails(IllegalStateException.class, () -> edit(fixture, "{'remove':1}"));
        });
        tests.test("Edits are rolled back if the daemon does not serve them.", () -> {
            Fixture fixture = new Fixture();
            String name = edit(fixture, "{'remove':1}");
            fixture.client.connect();
            fixture.daemon.line().listener.onOpen();
            fixture.daemon.line().push("[{'type':'welcome','protocol':1,'session':'s','token':'t',"
                    + "'features':['patch','live'],'limits':{}}," + VIEW + "]");
            isTrue(fixture.events.contains(name + " ROLLED_BACK editNotAccepted"), fixture.events);
            equal(fixture.list.pendingEdits(), "[]");
            equal(sent(fixture.daemon.line()), "[]");
        });
        tests.test("An edit that causes a fault is dropped.", () -> {
            Fixture fixture = listing();
            edit(fixture, "{'remove':1}");
            String fault = "{'type':'error','view':'list','message':'','temporary':false,'seq':"
                    + Outbox.seq(fixture.daemon.line().last()) + ",'code':";
            for (String code : new String[] {"unknownView", "staleGeneration", "staleSequence"}) {
                fixture.daemon.line().push(fault + "'" + code + "'}");
                shows(fixture, "2,3");
            }
            fixture.events.clear();
            String name = fixture.list.pendingEdits().get(0);
            fixture.daemon.line().push(fault + "'invalidField'}");
            shows(fixture, "1,2,3");
            equal(fixture.list.pendingEdits(), "[]");
            isTrue(fixture.events.contains(name + " ROLLED_BACK invalidField"), fixture.events);
        });
        tests.test("Too many edits are refused.", () -> {
            Fixture fixture = new Fixture();
            for (int number = 0; number < PendingEdits.COUNT_MAX; number++) {
                edit(fixture, "{'remove':" + number + "}");
            }
            fails(IllegalStateException.class, () -> edit(fixture, "{'remove':0}"));
        });
    }

    private void sent() {
        tests.test("Edits are sent again after each welcome, once the view is attached.", () -> {
            for (boolean isResumed : new boolean[] {true, false}) {
                Fixture fixture = listing();
                String first = "edit " + edit(fixture, "{'remove':1}");
                FakeDaemon.Line line = fixture.reconnect();
                String second = "edit " + edit(fixture, "{'remove':2}");
                equal(line.types(), "[hello]");
                String welcome = "{'type':'welcome','protocol':1,'session':'s','token':'t2',"
                        + "'resumed':" + isResumed + ",'ack':0,'time':0,'heartbeat':25000,"
                        + "'limits':{},'features':['query','unread','patch','live','edits']}";
                line.push(welcome);
                String third = "edit " + edit(fixture, "{'remove':3}");
                equal(sent(line), "[]");
                line.push(VIEW);
                equal(sent(line), List.of(first, second, third));
                equal(repeated(line), List.of(first.substring(5)));
                line.push(edited(second.substring(5), "'confirmed'"));
                line = fixture.reconnect();
                line.push(welcome);
                line.push(VIEW);
                equal(sent(line), List.of(first, third));
                shows(fixture, "2");
            }
        });
        tests.test("At most 32 edits are sent before one has an answer.", () -> {
            Fixture fixture = listing();
            List<String> names = new ArrayList<>();
            for (int number = 0; number < 40; number++) {
                names.add(edit(fixture, "{'remove':" + number + "}"));
            }
            equal(sent(fixture.daemon.line()).size(), 32);
            fixture.daemon.line().push(edited(names.get(5), "'confirmed'"));
            equal(sent(fixture.daemon.line()).size(), 33);
        });
        tests.test("An edit that was never sent is undone at once.", () -> {
            Fixture fixture = listing();
            FakeDaemon.Line line = fixture.reconnect();
            String name = edit(fixture, "{'remove':1}");
            shows(fixture, "2,3");
            fixture.events.clear();
            fixture.list.undo(name);
            shows(fixture, "1,2,3");
            equal(fixture.events, List.of(name + " ROLLED_BACK undone"));
            line.resumed(0);
            line.push(VIEW);
            equal(sent(line), "[]");
        });
        tests.test("An undo is sent again behind its edit until the edit has its answer.", () -> {
            Fixture fixture = listing();
            String name = fixture.list.edit(operation("{'remove':1}"), 5000);
            fixture.list.undo(name);
            fixture.list.undo(name);
            List<String> both = List.of("edit " + name, "undo " + name);
            equal(sent(fixture.daemon.line()), both);
            FakeDaemon.Line line = fixture.reconnect();
            line.resumed(0);
            equal(sent(line), both);
            line.push(VIEW);
            line.push(edited(name, "'rolledBack','code':'undone'"));
            shows(fixture, "1,2,3");
            fixture.list.undo(name);
            equal(sent(line).subList(0, 2), both);
        });
        tests.test("Edits of a detached view, or of a closed client, have no effect.", () -> {
            Fixture fixture = listing();
            fixture.list.detach();
            edit(fixture, "{'remove':1}");
            equal(fixture.list.pendingEdits(), "[]");
            Fixture closed = listing();
            closed.client.close();
            edit(closed, "{'remove':1}");
            equal(closed.list.pendingEdits(), "[]");
        });
    }

    private void saved() {
        tests.test("Edits are a part of the saved state.", () -> {
            Fixture fixture = listing();
            String first = fixture.list.edit(operation("{'insert':{'id':4},'at':'start'}"), 100);
            String second = edit(fixture, "{'remove':1}");
            fixture.list.undo(second);
            FakeDaemon daemon = new FakeDaemon();
            ManualScheduler clock = new ManualScheduler();
            String state = fixture.client.saveState();
            for (int process = 0; process < 2; process++) { // also one that is not continued
                state = client(daemon, clock, state).saveState();
            }
            RefreshClient client = client(daemon, clock, state);
            RefreshView list = client.attach(
                    new ViewOptions("list", "default").feed("packages"), new ViewListener() {});
            list.restoreItems(fixture.list.receivedItems());
            equal(keys(list.items()), "4,2,3");
            equal(list.pendingEdits(), List.of(first, second));
            client.connect();
            daemon.line().listener.onOpen();
            daemon.line().welcome();
            equal(sent(daemon.line()),
                    List.of("edit " + first, "edit " + second, "undo " + second));
            equal(repeated(daemon.line()), List.of(first, second));
            RefreshView other = client(daemon, clock, state).attach(
                    new ViewOptions("list", "default").feed("others"), new ViewListener() {});
            equal(other.pendingEdits(), "[]");
        });
        tests.test("Edits outlive a process that has never had a session.", () -> {
            Fixture fixture = new Fixture();
            equal(fixture.client.saveState(), null);
            String name = edit(fixture, "{'remove':1}");
            RefreshClient client = client(
                    fixture.daemon, fixture.clock, fixture.client.saveState());
            equal(client.attach(new ViewOptions("list", "default").feed("packages"),
                    new ViewListener() {}).pendingEdits(), List.of(name));
        });
        tests.test("A damaged state of edits has no effect.", () -> {
            for (String edits : new String[] {"5", "{'list':5}", "{'list':{'edits':[5,{}]}}"}) {
                RefreshClient client = client(new FakeDaemon(), new ManualScheduler(),
                        ("{'version':2,'edits':" + edits + "}").replace('\'', '"'));
                equal(client.attach(new ViewOptions("list", "default").feed("packages"),
                        new ViewListener() {}).pendingEdits(), "[]");
            }
        });
    }

    private static RefreshClient client(FakeDaemon daemon, ManualScheduler clock, String state) {
        return RefreshClient.builder(URI.create("ws://h/"), daemon).executor(Runnable::run)
                .scheduler(clock).random(new Random(1)).resume(state)
                .features(Feature.PATCH, Feature.LIVE, Feature.EDITS).build();
    }
}
