package refreshd.client;

import static refreshd.client.Tests.equal;
import static refreshd.client.Tests.fails;
import static refreshd.client.Tests.isTrue;

import java.net.URI;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** Lists with random access: their rows, and how the rows in sight are reported. */
final class RowTests {
    private static final int SIZE = 10;
    private static final int STEPS = 800;

    private final Tests tests;

    RowTests(Tests tests) {
        this.tests = tests;
    }

    void run() {
        lists();
        reports();
        tests.test("After random pages and losses, the rows are those of a simple model.",
                this::random);
    }

    private static String attached(String paging) {
        return "{'type':'attached','view':'list','ack':0,'generation':1,'paging':{'style':'offset',"
                + "'size':" + SIZE + ",'access':'random'" + paging + "},"
                + "'top':{'role':'refresh','state':'idle'}}";
    }

    private static String welcome(boolean isResumed) {
        return "{'type':'welcome','protocol':1,'session':'s','token':'t2','resumed':" + isResumed
                + ",'ack':0,'time':0,'heartbeat':25000,'limits':{},'features':['visibleRange']}";
    }

    /** A page of ten rows. The item of a row is its number. */
    private static String page(String mode, int row, String rest) {
        List<Object> items = new ArrayList<>();
        for (int index = 0; index < SIZE; index++) {
            items.add(row + index);
        }
        return page(mode, row, items, rest);
    }

    private static String page(String mode, int offset, List<Object> items, String rest) {
        return "{'type':'items','view':'list','load':'1.1','more':false,'mode':'" + mode
                + "','offset':" + offset + ",'count':" + items.size() + ",'items':"
                + Json.write(items) + rest + "}";
    }

    private static String count(int count) {
        return "{'type':'update','view':'list','ack':0,'list':{'count':" + count
                + ",'more':false}}";
    }

    /** A view whose pages the test keeps. */
    private static final class Listing extends Fixture {
        final List<Page> pages = new ArrayList<>();

        Listing(List<JsonObject> initial) {
            super(new Random(1), initial);
        }

        @Override
        public void onItems(RefreshView view, Page page) {
            pages.add(page);
        }

        /** The rows that have an item, which must be the number of the row. */
        String known() {
            List<Integer> rows = new ArrayList<>();
            for (int row = 0; row < list.items().size(); row++) {
                if (list.items().get(row) != null) {
                    equal(list.items().get(row), row);
                    rows.add(row);
                }
            }
            return rows.isEmpty() ? "" : rows.size() + " from " + rows.get(0) + " to "
                    + rows.get(rows.size() - 1);
        }

        void push(String... messages) {
            daemon.line().push("[" + String.join(",", messages) + "]");
        }
    }

    private static Listing connected() {
        Listing fixture = new Listing(Collections.emptyList());
        fixture.client.connect();
        fixture.daemon.line().listener.onOpen();
        fixture.push(welcome(false), attached(""));
        return fixture;
    }

    private static Listing listing() {
        Listing fixture = connected();
        fixture.push(page("replace", 0, ",'total':100"));
        return fixture;
    }

    private void lists() {
        tests.test("A list has a placeholder for each row that has not arrived.", () -> {
            Listing fixture = listing();
            isTrue(fixture.list.isRandom(), "sequential");
            equal(fixture.list.items().size(), 100);
            equal(fixture.known(), "10 from 0 to 9");
            fixture.push(page("fill", 50, ""));
            equal(fixture.known(), "20 from 0 to 59");
            Page page = fixture.pages.get(1);
            equal(page.firstRow(), 50);
            equal(page.items().size(), 10);
            fixture.push(page("replace", 70, ",'total':80"));
            equal(fixture.known(), "10 from 70 to 79");
            equal(fixture.list.items().size(), 80);
        });
        tests.test("An offset that begins at one is the row minus one.", () -> {
            Listing fixture = listing();
            fixture.push(attached(",'first':1"), page("fill", 51, Collections.nCopies(1, 50), ""));
            equal(fixture.pages.get(1).firstRow(), 50);
            equal(fixture.known(), "11 from 0 to 50");
        });
        tests.test("Another total changes the number of rows; the other items stay.", () -> {
            Listing fixture = listing();
            fixture.push(page("fill", 50, ""));
            fixture.push(count(55), page("fill", 20, ",'total':55"));
            equal(fixture.list.items().size(), 55);
            equal(fixture.known(), "25 from 0 to 54");
            fixture.push(count(200));
            equal(fixture.list.items().size(), 200);
            equal(fixture.known(), "25 from 0 to 54");
            fixture.push(count(0));
            equal(fixture.list.items().size(), 200); // until new ones arrive
            fixture.push(page("replace", 0, ",'total':9000000000000"));
            equal(fixture.list.items().size(), 655_350);
        });
        tests.test("Without a total, the view continues with sequential access.", () -> {
            Listing fixture = listing();
            fixture.push(page("replace", 0, ""), page("append", 10, ",'total':100"));
            equal(fixture.list.items().size(), 20);
            isTrue(!fixture.list.isRandom(), "random");
            equal(fixture.pages.get(2).firstRow(), null);
            fixture.list.configure(new PagingOptions().access(PagingAccess.RANDOM));
            fixture.push(page("replace", 30, ",'total':100"));
            equal(fixture.known(), "10 from 30 to 39");
        });
        tests.test("The total of a list with sequential access makes no rows.", () -> {
            Fixture fixture = new Fixture().open();
            fixture.daemon.line().push(page("replace", 0, ",'total':100"));
            equal(fixture.list.items().size(), 10);
        });
        tests.test("Rows outlive a resume, and a fresh session until new ones arrive.", () -> {
            Listing fixture = listing();
            for (boolean isResumed : new boolean[] {true, false}) {
                fixture.reconnect();
                fixture.push(welcome(isResumed), attached(""));
                equal(fixture.known(), "10 from 0 to 9");
            }
            fixture.push(page("replace", 20, ",'total':30"));
            equal(fixture.known(), "10 from 20 to 29");
        });
    }

    /** The first rows in sight that the messages of these types report. */
    private static String reported(Listing fixture) {
        List<Object> rows = new ArrayList<>();
        for (JsonObject message : fixture.daemon.line().messages()) {
            if (message.string("type").matches("scroll|geometry")) {
                JsonObject visible = message.object("visible");
                rows.add(visible == null ? "-" : visible.integer("first", -1) + ".."
                        + visible.integer("last", -1));
            }
        }
        return rows.toString();
    }

    private void reports() {
        tests.test("Rows are reported when they have changed, and at rest and a layout.", () -> {
            Listing fixture = listing();
            fixture.list.scroll(0, ScrollPhase.BEGAN);
            fixture.list.visibleRows(0, 7);
            fixture.list.scroll(4, ScrollPhase.DRAGGING);
            fixture.list.scroll(8, ScrollPhase.DRAGGING);
            fixture.list.visibleRows(1, 8);
            fixture.list.scroll(40, ScrollPhase.DRAGGING);
            fixture.list.scroll(40, ScrollPhase.ENDED);
            fixture.list.scroll(44, ScrollPhase.IDLE);
            fixture.list.geometry(new Geometry().content(new Size().height(4400)));
            equal(reported(fixture), "[-, 0..7, -, 1..8, -, 1..8, 1..8]");
        });
        tests.test("The rows in sight are reported again when the view is attached.", () -> {
            Listing fixture = listing();
            fixture.list.visibleRows(3, 9);
            fixture.list.scroll(4, ScrollPhase.IDLE);
            fixture.reconnect();
            fixture.list.visibleRows(4, 10);
            fixture.push(welcome(true), attached(""));
            equal(fixture.daemon.line().last().string("type"), "geometry");
            isTrue(reported(fixture).endsWith(" 4..10]"), reported(fixture));
            fixture.reconnect();
            fixture.push(welcome(true).replace("'visibleRange'", ""), attached(""));
            equal(fixture.daemon.line().last().string("type"), "scroll");
        });
        tests.test("A list opens at the rows in sight in each fresh session.", () -> {
            Listing fixture = new Listing(List.of(Fixture.REFRESH));
            fixture.list.visibleRows(130, 147);
            fixture.client.connect();
            fixture.daemon.line().listener.onOpen();
            fixture.push(welcome(false), attached(""));
            equal(fixture.daemon.line().types(), "[hello, geometry, refresh, geometry]");
            fixture.list.visibleRows(200, 217);
            fixture.reconnect();
            fixture.push(welcome(false), attached(""));
            List<String> types = fixture.daemon.line().types();
            equal(types.subList(types.size() - 3, types.size()), "[geometry, refresh, geometry]");
            isTrue(reported(fixture).endsWith("200..217, 200..217]"), reported(fixture));
        });
        tests.test("Wrong rows are refused.", () -> {
            Listing fixture = listing();
            fails(IllegalArgumentException.class, () -> fixture.list.visibleRows(3, 2));
            fails(IllegalArgumentException.class, () -> fixture.list.visibleRows(-1, 2));
            RefreshClient plain = RefreshClient.builder(URI.create("ws://h/"), new FakeDaemon())
                    .executor(Runnable::run).scheduler(new ManualScheduler()).build();
            RefreshView view = plain.attach(new ViewOptions("a", "default"), new ViewListener() {});
            fails(IllegalStateException.class, () -> view.visibleRows(0, 1));
        });
    }

    private void random() {
        long seed = Long.getLong("seed", System.nanoTime());
        System.out.println("rows: -Dseed=" + seed);
        Random random = new Random(seed);
        Listing fixture = listing();
        List<Object> model = new ArrayList<>(fixture.list.items());
        boolean isOpen = true;
        for (int step = 0; step < STEPS; step++) {
            int way = random.nextInt(10);
            if (!isOpen) {
                isOpen = way > 4;
                if (isOpen) {
                    fixture.push(welcome(random.nextBoolean()), attached(""));
                }
            } else if (way == 0) {
                isOpen = false;
                fixture.reconnect();
            } else {
                int total = way == 1 ? SIZE + random.nextInt(200)
                        : Math.max(SIZE, model.size() + 15 * (random.nextInt(3) - 1));
                int row = random.nextInt(total / SIZE) * SIZE;
                List<Object> items = new ArrayList<>();
                for (int index = random.nextInt(SIZE + 1); index > 0; index--) {
                    items.add(step + "." + index);
                }
                items = items.subList(0, Math.min(items.size(), total - row));
                if (way == 1) {
                    model.clear();
                }
                while (model.size() > total) {
                    model.remove(model.size() - 1);
                }
                while (model.size() < total) {
                    model.add(null);
                }
                for (int index = 0; index < items.size(); index++) {
                    model.set(row + index, items.get(index));
                }
                fixture.push(count(total), page(way == 1 ? "replace" : "fill", row, items,
                        ",'total':" + total));
            }
            isTrue(fixture.list.items().equals(model), "step " + step + " of -Dseed=" + seed);
        }
    }
}
