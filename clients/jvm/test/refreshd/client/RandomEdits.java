package refreshd.client;

import static refreshd.client.Tests.equal;
import static refreshd.client.Tests.isTrue;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Edits, operations, losses and resumes in random order, against a daemon that keeps its list as a
 * plain list.
 */
final class RandomEdits {
    private static final int STEPS = 1500;

    private final long seed = Long.getLong("seed", System.nanoTime());
    private final Random random = new Random(seed);
    private final Fixture fixture = new Fixture().open();
    /** The list of the daemon. */
    private List<Object> items = new ArrayList<>();
    private final Map<String, JsonObject> pending = new LinkedHashMap<>();
    private FakeDaemon.Line line = fixture.daemon.line();
    private boolean isOpen = true;
    private int number = 0;

    void run() {
        System.out.println("edits: -Dseed=" + seed);
        attach(true);
        for (int step = 0; step < STEPS; step++) {
            int way = random.nextInt(16);
            step(way);
            String place = "step " + step + " (" + way + ") of -Dseed=" + seed;
            isTrue(Json.write(fixture.list.items()).equals(Json.write(expected())), place);
            isTrue(fixture.list.pendingEdits().equals(new ArrayList<>(pending.keySet())), place);
            if (isOpen) {
                checkSent(place);
            }
        }
    }

    private void step(int way) {
        if (way < 5) {
            JsonObject operation = operation();
            pending.put(fixture.list.edit(operation, 0), operation);
        } else if (way < 9) {
            List<Object> operations = operate();
            if (isOpen && !operations.isEmpty()) {
                line.push(operated(operations));
            }
        } else if (way < 13) {
            answer();
        } else if (way == 13) {
            undo();
        } else if (isOpen) {
            line = fixture.reconnect();
            isOpen = false;
        } else {
            comeBack();
        }
    }

    /** At most 32 edits were sent, each once and in order. */
    private void checkSent(String place) {
        List<String> sent = sent();
        isTrue(new HashSet<>(sent).size() == sent.size(), place + ": an edit was sent twice");
        sent.removeIf(name -> !pending.containsKey(name));
        List<String> all = new ArrayList<>(pending.keySet());
        equal(sent, all.subList(0, Math.min(all.size(), PendingEdits.UNANSWERED_MAX)));
    }

    private List<String> sent() {
        List<String> sent = new ArrayList<>();
        for (JsonObject message : line.messages()) {
            if ("edit".equals(message.string("type"))) {
                sent.add(message.string("edit"));
            }
        }
        return sent;
    }

    private void attach(boolean isFresh) {
        line.push("{'type':'attached','view':'list','ack':0,'generation':1,'itemKey':'/id',"
                + "'edits':['insert','update','remove','move'],"
                + "'top':{'role':'refresh','state':'idle'}}");
        if (isFresh) {
            items = new ArrayList<>();
            for (int key = random.nextInt(4); key < 12; key += 4) {
                items.add(JsonObject.builder().put("id", key).build());
            }
            line.push(message("replace", "items", items));
        }
    }

    private String message(String mode, String member, List<Object> values) {
        return JsonObject.builder().put("type", "items").put("view", "list").put("load", "1.1")
                .put("mode", mode).put("more", false).put("count", items.size())
                .put(member, values).build().toString();
    }

    private String operated(List<Object> operations) {
        return message("patch", "operations", operations);
    }

    private void comeBack() {
        isOpen = true;
        boolean isResumed = random.nextBoolean();
        line.push("{'type':'welcome','protocol':1,'session':'s','token':'t2','resumed':"
                + isResumed + ",'ack':0,'time':0,'heartbeat':25000,'limits':{},"
                + "'features':['query','unread','patch','live','edits']}");
        attach(!isResumed);
    }

    private void undo() {
        if (!pending.isEmpty()) {
            List<String> names = new ArrayList<>(pending.keySet());
            String name = names.get(random.nextInt(names.size()));
            fixture.events.clear();
            fixture.list.undo(name);
            if (!fixture.events.isEmpty()) { // it was never sent
                equal(fixture.events, List.of(name + " ROLLED_BACK undone"));
                pending.remove(name);
            }
        }
    }

    /** The daemon answers an edit, with the change of the list in the same frame. */
    private void answer() {
        List<String> sent = sent();
        sent.removeIf(name -> !pending.containsKey(name));
        if (isOpen && !sent.isEmpty()) {
            String name = sent.get(random.nextInt(sent.size()));
            pending.remove(name);
            List<Object> operations = operate();
            String edited = EditTests.edited(name, "'confirmed'");
            line.push(operations.isEmpty() ? edited
                    : "[" + operated(operations) + "," + edited + "]");
        }
    }

    /** Changes the list of the daemon. Returns the operations that fit it. */
    private List<Object> operate() {
        List<Object> operations = new ArrayList<>();
        for (int count = random.nextInt(3); isOpen && count >= 0; count--) {
            JsonObject operation = operation();
            if (OperationTests.apply(items, operation)) {
                operations.add(operation);
            }
        }
        return operations;
    }

    private JsonObject operation() {
        return OperationTests.operation(random, ++number);
    }

    /** What the view must show: the list of the daemon with the edits without an answer. */
    private List<Object> expected() {
        List<Object> shown = new ArrayList<>(items);
        for (JsonObject operation : pending.values()) {
            JsonObject item = operation.object("insert");
            boolean isKnown = item != null && OperationTests.indexOf(shown, item.get("id")) >= 0;
            OperationTests.apply(shown, !isKnown ? operation
                    : JsonObject.builder().put("update", item).build());
        }
        return shown;
    }
}
