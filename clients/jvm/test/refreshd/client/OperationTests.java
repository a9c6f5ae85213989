package refreshd.client;

import static refreshd.client.Tests.equal;
import static refreshd.client.Tests.isTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** What a view shows after operations on its items. */
final class OperationTests {
    private static final int MESSAGES = 1000;

    private static final String ITEMS =
            "{'type':'items','view':'list','load':'1.2','more':true,'mode':";

    private final Tests tests;

    OperationTests(Tests tests) {
        this.tests = tests;
    }

    void run() {
        tests.test("Operations are applied in order to the same objects.", () -> {
            Fixture fixture = listing();
            Object first = fixture.list.items().get(0);
            operate(fixture, 6, "[{'insert':{'id':5},'at':'start'},{'insert':{'id':6},'after':5},"
                    + "{'update':{'id':2,'title':'new'}},{'remove':'1'},{'move':3,'before':1},"
                    + "{'move':5,'at':'end'},{'insert':{'id':'1'},'before':2}]");
            shows(fixture, "[6, 3, 1, \"1\", 2, 5]");
            isTrue(fixture.list.items().get(2) == first, "the item is another object");
            equal(((JsonObject) fixture.list.items().get(4)).string("title"), "new");
            equal(fixture.daemon.line().messages().size(), 1);
        });
        tests.test("An item that moves next to itself, or to its own place, stays.", () -> {
            Fixture fixture = listing();
            operate(fixture, 4, "[{'move':2,'before':2},{'move':2,'after':2},{'move':2,'after':1},"
                    + "{'move':2,'before':3},{'move':1,'at':'start'},{'move':'1','at':'end'}]");
            shows(fixture, "[1, 2, 3, \"1\"]");
        });
        tests.test("Operations, pages and runs follow each other.", () -> {
            Fixture fixture = listing();
            operate(fixture, 2, "[{'remove':1},{'remove':2}]");
            push(fixture, "'append','count':1,'items':[{'id':7}]}");
            operate(fixture, 3, "[{'move':7,'at':'start'}]");
            shows(fixture, "[7, 3, \"1\"]");
            push(fixture, "'patch','count':2,'runs':[{'from':7,'count':2}]}");
            operate(fixture, 0, "[{'remove':7},{'remove':3}]");
            operate(fixture, 1, "[{'insert':{'id':8},'at':'end'}]");
            shows(fixture, "[8]");
        });
        tests.test("The load of operations is received, although no loading comes before.", () -> {
            Fixture fixture = listing();
            fixture.daemon.line().push("{'type':'items','view':'list','load':'1.9','more':true,"
                    + "'mode':'patch','count':3,'operations':[{'remove':1}]}");
            equal(fixture.reconnect().hello().object("resume").array("received"), "[1.9]");
        });
        tests.test("A key that several items have is not found, and is not free.", () -> {
            for (String operation : new String[] {
                "{'remove':1}", "{'insert':{'id':1},'at':'end'}", "{'move':2,'before':1}"}) {
                Fixture fixture = listing();
                push(fixture, "'append','count':1,'items':[{'id':1}]}");
                operate(fixture, 6, "[{'insert':{'id':9},'at':'end'},{'move':3,'at':'start'}]");
                shows(fixture, "[3, 1, 2, \"1\", 1, 9]");
                operate(fixture, 5, "[" + operation + "]");
                shows(fixture, "[3, 1, 2, \"1\", 1, 9]");
                equal(fixture.daemon.line().last().string("type"), "refresh");
            }
        });
        tests.test("Operations that do not fit change nothing; the list is requested once.",
                this::unfit);
        tests.test("After random operations, the list is that of a simple model.", this::random);
    }

    /** A view with keys and four items. */
    private static Fixture listing() {
        Fixture fixture = new Fixture().open();
        fixture.daemon.line().push("{'type':'attached','view':'list','ack':0,'generation':1,"
                + "'itemKey':'/id','top':{'role':'refresh','state':'idle'}}");
        push(fixture, "'replace','count':4,'items':[{'id':1},{'id':2},{'id':3},{'id':'1'}]}");
        return fixture;
    }

    private static void push(Fixture fixture, String rest) {
        fixture.daemon.line().push(ITEMS + rest);
    }

    private static void operate(Fixture fixture, Object count, String operations) {
        push(fixture, "'patch','count':" + count + ",'operations':" + operations + "}");
    }

    private static void shows(Fixture fixture, String keys) {
        List<String> found = new ArrayList<>();
        for (Object item : fixture.list.items()) {
            found.add(Json.write(((JsonObject) item).get("id")));
        }
        equal(found, keys);
    }

    private void unfit() {
        String[] unfit = {
            "[{'remove':9}]", "[{'remove':'2'}]", "[{'remove':null}]", "[{'remove':1.0}]",
            "[{'remove':true}]", "[{'remove':[1]}]", "[{'insert':{'id':2},'at':'end'}]",
            "[{'insert':{'name':2},'at':'end'}]", "[{'insert':null,'at':'end'}]",
            "[{'update':{'id':9}}]", "[{'move':1,'after':9}]", "[{'move':9,'at':'end'}]",
            "[{'insert':{'id':9}}]", "[{'insert':{'id':9},'at':'start','before':1}]",
            "[{'move':1,'at':'middle'}]", "[{'move':1,'at':['start']}]",
            "[{'remove':1,'update':{'id':1}}]", "[{'at':'end'}]", "[{}]", "[null]", "[1]",
            "['remove']", "[[]]", "{'remove':1}", "null", "'remove'", "5",
            "[{'remove':1},{'insert':{'id':9},'at':'start'},{'remove':1}]",
            "[{'remove':1},{'insert':{'id':9},'before':1}]",
        };
        for (String operations : unfit) {
            requestsList(4, operations);
        }
        for (Object count : new Object[] {4, 3.5, "null", "'3'", -1, "1e999", "true"}) {
            requestsList(count, "[{'remove':1}]");
        }
    }

    private static void requestsList(Object count, String operations) {
        Fixture fixture = listing();
        FakeDaemon.Line line = fixture.daemon.line();
        List<Object> before = fixture.list.items();
        int events = fixture.events.size();
        int sent = line.frames.size();
        operate(fixture, count, operations);
        operate(fixture, 3, "[{'remove':1}]");
        push(fixture, "'append','count':1,'items':[{'id':7}]}");
        isTrue(fixture.list.items() == before, operations + " has changed the list");
        equal(fixture.events.size(), events);
        equal(types(line, sent), "[[reset, refresh]]");
        push(fixture, "'replace','count':1,'items':[{'id':8}]}");
        operate(fixture, 2, "[{'insert':{'id':9},'before':8}]");
        shows(fixture, "[9, 8]");
    }

    /** Returns the types of the messages in the frames from an index on, without pings. */
    private static List<List<String>> types(FakeDaemon.Line line, int from) {
        List<List<String>> types = new ArrayList<>();
        for (List<JsonObject> frame : line.frames.subList(from, line.frames.size())) {
            List<String> sent = new ArrayList<>();
            for (JsonObject message : frame) {
                sent.add(message.string("type"));
            }
            if (!sent.contains("ping")) {
                types.add(sent);
            }
        }
        return types;
    }

    private void random() {
        long seed = Long.getLong("seed", System.nanoTime());
        System.out.println("operations: -Dseed=" + seed);
        Random random = new Random(seed);
        Fixture fixture = listing();
        FakeDaemon.Line line = fixture.daemon.line();
        List<Object> model = new ArrayList<>(fixture.list.items());
        int unfit = 0;
        for (int number = 0; number < MESSAGES; number++) {
            List<Object> after = new ArrayList<>(model);
            List<Object> operations = new ArrayList<>();
            boolean fits = true;
            for (int count = random.nextInt(4); count >= 0; count--) {
                JsonObject operation = operation(random, number);
                operations.add(operation);
                fits = fits && apply(after, operation);
            }
            String place = "message " + number + " of -Dseed=" + seed;
            int sent = line.frames.size();
            model = fits ? after : model;
            operate(fixture, model.size(), Json.write(operations));
            isTrue(Json.write(fixture.list.items()).equals(Json.write(model)), place);
            isTrue(types(line, sent).toString().equals(fits ? "[]" : "[[reset, refresh]]"), place);
            if (!fits) {
                unfit++;
                push(fixture, "'replace','count':1,'items':" + Json.write(model) + "}");
            }
        }
        isTrue(unfit > 50 && unfit < MESSAGES - 50, unfit);
    }

    private static Object key(Random random) {
        int number = random.nextInt(12);
        return random.nextBoolean() ? (Object) number : String.valueOf(number);
    }

    static JsonObject operation(Random random, int number) throws AssertionError {
        Object key = key(random);
        JsonObject item = JsonObject.builder().put("id", key).put("number", number).build();
        JsonObject.Builder builder = JsonObject.builder();
        switch (random.nextInt(4)) {
            case 0:
                builder.put("insert", item);
                break;
            case 1:
                return builder.put("update", item).build();
            case 2:
                return builder.put("remove", key).build();
            default:
                builder.put("move", key);
        }
        switch (random.nextInt(4)) {
            case 0:
                return builder.put("at", "start").build();
            case 1:
                return builder.put("at", "end").build();
            case 2:
                return builder.put("before", key(random)).build();
            default:
                return builder.put("after", key(random)).build();
        }
    }

    static int indexOf(List<Object> items, Object key) {
        for (int index = 0; index < items.size(); index++) {
            if (Json.write(((JsonObject) items.get(index)).get("id")).equals(Json.write(key))) {
                return index;
            }
        }
        return -1;
    }

    /** Applies an operation in the simplest way, and returns whether it fits. */
    static boolean apply(List<Object> items, JsonObject operation) {
        boolean isNew = operation.has("insert");
        JsonObject item = operation.object(isNew ? "insert" : "update");
        Object key = item != null ? item.get("id")
                : operation.get(operation.has("move") ? "move" : "remove");
        int index = indexOf(items, key);
        Object neighbour = operation.get(operation.has("after") ? "after" : "before");
        if (isNew == index >= 0 || (neighbour != null && indexOf(items, neighbour) < 0)) {
            return false;
        }
        if (operation.has("update")) {
            items.set(index, item);
        } else if (neighbour == null || !Json.write(neighbour).equals(Json.write(key))) {
            Object moved = isNew ? item : items.remove(index);
            if (neighbour != null) {
                int shift = operation.has("after") ? 1 : 0;
                items.add(indexOf(items, neighbour) + shift, moved);
            } else if (!operation.has("remove")) {
                items.add("start".equals(operation.string("at")) ? 0 : items.size(), moved);
            }
        }
        return true;
    }
}
