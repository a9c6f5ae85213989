package refreshd.client;

import static refreshd.client.Tests.equal;
import static refreshd.client.Tests.isTrue;

import java.util.HashSet;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** What a client shows with a daemon and a backend, whatever is lost. */
final class ServedTests {
    private final Tests tests;
    private final String binary;

    ServedTests(Tests tests, String binary) {
        this.tests = tests;
        this.binary = binary;
    }

    private interface Body {
        void run(ServedFixture fixture) throws Exception;
    }

    void run() {
        losses();
        answers();
    }

    private static ViewOptions board() {
        return new ViewOptions("list", "default").feed("board");
    }

    /** Adds a test with a list of two items. */
    private void test(String sentence, Body body) {
        tests.test(sentence, () -> {
            try (ServedFixture fixture = new ServedFixture(binary, 2, 20)) {
                fixture.connect(null, board(), null);
                fixture.until(() -> fixture.list.items().size() == 2);
                fixture.events.clear();
                body.run(fixture);
            }
        });
    }

    private static JsonObject operation(String text) {
        return EditTests.operation(text);
    }

    private void losses() {
        test("An insert without a connection is performed once after that.", fixture -> {
            equal(fixture.list.acceptedEdits(), "[insert, update, remove, move]");
            fixture.cut();
            String name = fixture.list.edit(operation("{'insert':{'id':'c'},'at':'start'}"), 0);
            equal(fixture.shown(), "c,i0,i1");
            fixture.mend();
            fixture.until(() -> !fixture.answered.isEmpty());
            equal(fixture.answered.get(0).edit(), name);
            equal(fixture.answered.get(0).result(), EditResult.CONFIRMED);
            equal(fixture.shown(), "c,i0,i1");
            equal(fixture.on(() -> EditTests.keys(fixture.list.receivedItems())),
                    "\"c\",\"i0\",\"i1\"");
            equal(fixture.calls().size(), 1);
        });
        test("An edit whose connection is lost before its answer is performed once.", fixture -> {
            CountDownLatch goesOn = new CountDownLatch(1);
            fixture.goesOn = goesOn;
            fixture.list.edit(operation("{'insert':{'id':'c'},'at':'start'}"), 0);
            Tests.await(fixture.hasCall);
            fixture.cut();
            fixture.mend();
            fixture.until(() -> fixture.client.status() == Status.OPEN);
            goesOn.countDown();
            fixture.until(() -> !fixture.answered.isEmpty());
            equal(fixture.shown(), "c,i0,i1");
            equal(fixture.calls().size(), 1);
        });
        test("Another process continues the edits.", fixture -> {
            fixture.cut();
            String name = fixture.list.edit(operation("{'remove':'i0'}"), 0);
            String state = fixture.on(() -> fixture.client.saveState());
            List<Object> stored = fixture.on(() -> fixture.list.receivedItems());
            fixture.client.background();
            fixture.until(() -> fixture.client.status() == Status.SUSPENDED);
            fixture.mend();
            fixture.connect(state, board(), stored);
            equal(fixture.shown(), "i1");
            fixture.until(() -> !fixture.answered.isEmpty());
            equal(fixture.answered.get(0).edit(), name);
            isTrue(fixture.on(() -> fixture.client.welcome().isResumed()), fixture.events);
            equal(fixture.shown(), "i1");
            equal(new HashSet<>(fixture.calls()).size(), 1);
        });
    }

    private void answers() {
        test("The item that the backend names takes the place of the edited one.", fixture -> {
            fixture.renames = true;
            fixture.list.edit(operation("{'insert':{'id':'c'},'at':'start'}"), 0);
            fixture.until(() -> !fixture.answered.isEmpty());
            equal(fixture.answered.get(0).key(), "named-c");
            equal(fixture.events, "[items named-c,i0,i1, edited named-c,i0,i1]");
        });
        test("An edit is undone while it waits.", fixture -> {
            String name = fixture.list.edit(operation("{'remove':'i0'}"), 60_000);
            equal(fixture.shown(), "i1");
            fixture.list.undo(name);
            fixture.until(() -> !fixture.answered.isEmpty());
            equal(fixture.answered.get(0).result(), EditResult.ROLLED_BACK);
            equal(fixture.answered.get(0).code(), "undone");
            equal(fixture.shown(), "i0,i1");
            equal(fixture.calls(), "[]");
        });
        test("An edit that the backend refuses is taken back.", fixture -> {
            fixture.refuses = true;
            fixture.list.edit(operation("{'remove':'i0'}"), 0);
            equal(fixture.shown(), "i1");
            fixture.until(() -> !fixture.answered.isEmpty());
            Edited edited = fixture.answered.get(0);
            equal(edited.result(), EditResult.ROLLED_BACK);
            isTrue(edited.code() != null && edited.message() != null, edited);
            isTrue(!edited.isTemporary(), edited);
            equal(fixture.shown(), "i0,i1");
        });
    }
}
