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
        rows();
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

    private static final int ROWS = 10_000;
    private static final int ROW = 44; // points
    private static final int HEIGHT = 800; // of the viewport

    /** A list that reports its layout and its rows in sight. */
    private static final class Rows extends ServedFixture {
        double offset = 0;

        Rows(String binary) throws Exception {
            super(binary, ROWS, 50);
        }

        Rows open() {
            connect(null, board().paging(new PagingOptions().access(PagingAccess.RANDOM)).geometry(
                    new Geometry().viewport(new Size().width(390).height(HEIGHT))), null);
            return this;
        }

        int firstRow() {
            return Math.max(0, (int) (offset / ROW));
        }

        int lastRow() {
            return Math.min(ROWS - 1, (int) ((offset + HEIGHT - 1) / ROW));
        }

        void move(double to, ScrollPhase phase, IntentCause cause, Double velocity) {
            offset = to;
            list.visibleRows(firstRow(), lastRow());
            list.scroll(to, phase, cause, velocity);
        }

        boolean isFilled() {
            return list.isRandom() && list.items().size() == ROWS
                    && !list.items().subList(firstRow(), lastRow() + 1).contains(null);
        }

        @Override
        public void onItems(RefreshView view, Page page) {
            for (int index = 0; index < page.items().size(); index++) {
                int row = page.firstRow() + index;
                JsonObject item = (JsonObject) view.items().get(row);
                isTrue(item.string("id").equals("i" + row), item);
            }
            view.visibleRows(firstRow(), lastRow());
            view.geometry(new Geometry().content(
                    new Size().width(390).height(ROW * (double) view.items().size())));
            super.onStatus(client); // wakes the test
        }
    }

    private void rows() {
        tests.test("After a fling over 10,000 rows, only those at its end were requested.", () -> {
            try (Rows rows = new Rows(binary)) {
                rows.open().until(rows::isFilled);
                rows.move(0, ScrollPhase.BEGAN, IntentCause.FINGER, null);
                double step = 3000;
                rows.move(0, ScrollPhase.ENDED, IntentCause.FINGER, step * 60);
                for (; step > 1; step *= 0.99) {
                    rows.move(rows.offset + step, ScrollPhase.DECELERATING, IntentCause.FINGER,
                            step * 60);
                }
                rows.move(rows.offset, ScrollPhase.IDLE, IntentCause.FINGER, null);
                isTrue(rows.firstRow() > ROWS / 2, rows.firstRow());
                rows.until(rows::isFilled);
                isTrue(new HashSet<>(rows.offsets()).size() < 20, rows.offsets());
                equal(rows.on(() -> rows.list.items().get(0) != null), true);
            }
        });
        tests.test("The rows outlive a lost connection, and those in sight are loaded.", () -> {
            try (Rows rows = new Rows(binary)) {
                rows.open().until(rows::isFilled);
                rows.cut();
                rows.move(5000 * ROW, ScrollPhase.IDLE, IntentCause.CODE, null);
                rows.mend();
                rows.until(rows::isFilled);
                isTrue(rows.on(() -> rows.client.welcome().isResumed()), rows.events);
                equal(rows.on(() -> rows.list.items().get(0) != null), true);
            }
        });
    }
}
