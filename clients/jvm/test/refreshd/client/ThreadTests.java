package refreshd.client;

import static refreshd.client.Tests.equal;
import static refreshd.client.Tests.fails;
import static refreshd.client.Tests.isTrue;

import java.net.URI;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;

/** The executor of the client, and the calls of its listeners. */
final class ThreadTests {
    private final Tests tests;

    ThreadTests(Tests tests) {
        this.tests = tests;
    }

    /** Throws any exception, as Kotlin may. */
    @SuppressWarnings("unchecked")
    private static <T extends Throwable> void sneak(Throwable thrown) throws T {
        throw (T) thrown;
    }

    void run() {
        tests.test("A call from another thread waits for the executor.", () -> {
            FakeDaemon daemon = new FakeDaemon();
            Queue<Runnable> queue = new ArrayDeque<>();
            RefreshClient client = RefreshClient.builder(URI.create("ws://h/"), daemon)
                    .executor(queue::add).scheduler(new ManualScheduler()).build();
            client.connect();
            equal(daemon.lines.size(), 0);
            queue.remove().run();
            equal(daemon.lines.size(), 1);
            Thread other = new Thread(client::close);
            other.start();
            Tests.join(other);
            equal(client.status(), Status.CONNECTING);
            queue.remove().run();
            equal(client.status(), Status.CLOSED);
        });
        tests.test("A call from the thread of the executor takes effect at once.", () -> {
            List<Runnable> queue = new ArrayList<>();
            RefreshClient client = RefreshClient.builder(URI.create("ws://h/"), new FakeDaemon())
                    .executor(queue::add).scheduler(new ManualScheduler()).build();
            client.connect();
            queue.remove(0).run();
            client.close();
            equal(client.status(), Status.CLOSED);
        });
        tests.test("A timer that waits behind the welcome it waited for does nothing.", () -> {
            FakeDaemon daemon = new FakeDaemon();
            ManualScheduler clock = new ManualScheduler();
            Queue<Runnable> queue = new ArrayDeque<>();
            RefreshClient client = RefreshClient.builder(URI.create("ws://h/"), daemon)
                    .executor(queue::add).scheduler(clock).build();
            client.connect();
            queue.remove().run();
            daemon.line().listener.onOpen();
            queue.remove().run();
            daemon.line().welcome();
            clock.advance(10_000);
            equal(queue.size(), 2);
            queue.remove().run();
            queue.remove().run();
            equal(client.status(), Status.OPEN);
        });
        tests.test("What a listener throws reaches the executor after the whole frame.", () -> {
            Fixture fixture = new Fixture().open();
            RefreshView other = fixture.client.attach(
                    new ViewOptions("other", "default"), new ViewListener() {
                        @Override
                        public void onItems(RefreshView view, Page page) {
                            throw new IllegalStateException("of the app");
                        }
                    });
            fails(IllegalStateException.class, () -> fixture.daemon.line().push(
                    "[{'type':'items','view':'other','load':'2.1','mode':'replace','items':[1]},"
                    + "{'type':'items','view':'list','load':'1.1','mode':'replace','items':[2]}]"));
            equal(other.items(), "[1]");
            equal(fixture.list.items(), "[2]");
            fixture.daemon.line().push(
                    "{'type':'items','view':'list','load':'1.2','mode':'replace','items':[3]}");
            equal(fixture.list.items(), "[3]");
        });
        tests.test("An error or a checked exception of a listener ends no frame either.", () -> {
            for (Throwable thrown : new Throwable[] {
                    new AssertionError("of the app"), new java.io.IOException("of the app")}) {
                Fixture fixture = new Fixture().open();
                fixture.client.attach(new ViewOptions("other", "default"), new ViewListener() {
                    @Override
                    public void onItems(RefreshView view, Page page) {
                        ThreadTests.<RuntimeException>sneak(thrown);
                    }
                });
                fails(thrown.getClass(), () -> fixture.daemon.line().push("[{'type':'items',"
                        + "'view':'other','load':'2.1','mode':'replace','items':[1]},{'type':"
                        + "'items','view':'list','load':'1.1','mode':'replace','items':[2]}]"));
                equal(fixture.list.items(), "[2]");
            }
        });
        tests.test("awaitClosed on the executor throws instead of waiting.", () -> {
            CompletableFuture<Throwable> thrown = new CompletableFuture<>();
            RefreshClient client = RefreshClient.builder(URI.create("ws://h/"), new FakeDaemon())
                    .build();
            client.run(() -> {
                try {
                    client.awaitClosed(60_000);
                    thrown.complete(null);
                } catch (IllegalStateException | InterruptedException failure) {
                    thrown.complete(failure);
                }
            });
            Throwable failure = Tests.await(thrown);
            isTrue(failure instanceof IllegalStateException, failure);
        });
        tests.test("What one listener throws does not reach another listener.", () -> {
            Fixture fixture = new Fixture().open();
            List<String> events = new ArrayList<>();
            for (String name : new String[] {"a", "b"}) {
                fixture.client.attach(new ViewOptions(name, "default"), new ViewListener() {
                    @Override
                    public void onItems(RefreshView view, Page page) {
                        fixture.list.refresh();
                        events.add(name);
                        throw new IllegalStateException(name);
                    }
                });
            }
            fails(IllegalStateException.class, () -> fixture.daemon.line().push(
                    "[{'type':'items','view':'a','load':'2.1','mode':'replace','items':[1]},"
                    + "{'type':'items','view':'b','load':'3.1','mode':'replace','items':[2]}]"));
            equal(events, List.of("a", "b"));
        });
        tests.test("A listener may end the client in the middle of a frame.", () -> {
            Fixture fixture = new Fixture().open();
            fixture.client.attach(new ViewOptions("other", "default"), new ViewListener() {
                @Override
                public void onItems(RefreshView view, Page page) {
                    fixture.client.close();
                }
            });
            fixture.daemon.line().push(
                    "[{'type':'items','view':'other','load':'2.1','mode':'replace','items':[1]},"
                    + "{'type':'items','view':'list','load':'1.1','mode':'replace','items':[2]}]");
            equal(fixture.list.items(), "[2]"); // the frame was applied whole before its listeners
            isTrue(!fixture.events.contains("items"), fixture.events);
            equal(fixture.client.status(), Status.CLOSED);
            fixture.clock.advance(100_000);
            equal(fixture.daemon.lines.size(), 1);
        });
        tests.test("awaitClosed returns only after the status and its listener.", () -> {
            for (boolean endsAtOnce : new boolean[] {false, true}) {
                CountDownLatch mayReturn = new CountDownLatch(1);
                CountDownLatch isCalled = new CountDownLatch(1);
                FakeDaemon daemon = new FakeDaemon();
                RefreshClient client = RefreshClient.builder(URI.create("ws://h/"), daemon)
                        .listener(new ClientListener() {
                            @Override
                            public void onStatus(RefreshClient changed) {
                                if (changed.status() == Status.CLOSED) {
                                    isCalled.countDown();
                                    Tests.await(mayReturn);
                                }
                            }
                        }).build();
                if (endsAtOnce) {
                    CountDownLatch isOpening = new CountDownLatch(1);
                    client.connect();
                    client.run(isOpening::countDown);
                    Tests.await(isOpening);
                }
                client.close();
                Tests.await(isCalled);
                if (endsAtOnce) {
                    daemon.line().listener.onClosed(1000, "");
                }
                equal(client.awaitClosed(0), false);
                mayReturn.countDown();
                isTrue(client.awaitClosed(60_000), "not closed");
                equal(client.status(), Status.CLOSED);
            }
        });
        tests.test("Without an executor the client has a thread of its own.", () -> {
            CountDownLatch open = new CountDownLatch(1);
            List<Thread> threads = new ArrayList<>();
            FakeDaemon daemon = new FakeDaemon();
            RefreshClient client = RefreshClient.builder(URI.create("ws://h/"), daemon)
                    .listener(new ClientListener() {
                        @Override
                        public void onStatus(RefreshClient changed) {
                            threads.add(Thread.currentThread());
                            open.countDown();
                        }
                    }).build();
            client.connect();
            Tests.await(open);
            isTrue(threads.get(0) != Thread.currentThread() && threads.get(0).isDaemon(), threads);
        });
    }
}
