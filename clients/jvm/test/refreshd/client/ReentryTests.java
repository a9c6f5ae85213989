package refreshd.client;

import static refreshd.client.Tests.equal;
import static refreshd.client.Tests.fails;
import static refreshd.client.Tests.isTrue;

import java.net.URI;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/** Listeners that call the client, and transports and executors that fail. */
final class ReentryTests {
    private final Tests tests;

    ReentryTests(Tests tests) {
        this.tests = tests;
    }

    void run() {
        listeners();
        transports();
        executors();
    }

    /** A client that calls a method of the app when a view is disconnected or ends. */
    private static Fixture calling(Consumer<RefreshClient> onDisconnected,
            Consumer<RefreshClient> onEnded) {
        return new Fixture(new Random(1), Collections.singletonList(Fixture.REFRESH)) {
            @Override
            public void onDisconnected(RefreshView view) {
                super.onDisconnected(view);
                onDisconnected.accept(client);
            }

            @Override
            public void onEnded(RefreshView view) {
                super.onEnded(view);
                onEnded.accept(client);
            }

            @Override
            public void onWelcome(RefreshClient open, Welcome welcome) {
                events.add("welcome");
            }
        }.open();
    }

    private void listeners() {
        tests.test("A listener that closes the client at a loss sees only this status.", () -> {
            Fixture fixture = calling(RefreshClient::close, client -> {});
            fixture.events.clear();
            fixture.daemon.line().listener.onClosed(1006, "gone");
            equal(fixture.events, List.of("disconnected", "ended", "CLOSED"));
            equal(fixture.client.status(), Status.CLOSED);
            equal(fixture.client.closeCode(), 1000);
            equal(fixture.client.closeReason(), "");
            equal(fixture.client.retryInMs(), 0);
            fixture.clock.advance(100_000);
            equal(fixture.daemon.lines.size(), 1);
        });
        tests.test("A listener that reconnects at a loss sees no outdated status.", () -> {
            Fixture fixture = calling(RefreshClient::reconnectNow, client -> {});
            fixture.events.clear();
            fixture.daemon.line().listener.onClosed(1006, "gone");
            equal(fixture.events, List.of("disconnected", "CONNECTING"));
            equal(fixture.client.closeCode(), 0);
            equal(fixture.client.retryInMs(), 0);
            fixture.clock.advance(5000);
            equal(fixture.daemon.lines.size(), 2);
        });
        tests.test("A listener that closes the client at a refusal sees only this status.", () -> {
            Fixture fixture = calling(client -> {}, RefreshClient::close);
            fixture.events.clear();
            fixture.daemon.line().listener.onClosed(4004, "no");
            equal(fixture.events, List.of("ended", "CLOSED"));
            equal(fixture.client.closeCode(), 1000);
        });
        tests.test("A listener that closes the client at a fresh welcome ends it.", () -> {
            Fixture fixture = calling(client -> {}, RefreshClient::close);
            FakeDaemon.Line line = fixture.reconnect();
            fixture.events.clear();
            int timers = fixture.clock.timers();
            line.push("[{'type':'welcome','session':'z','token':'t9','resumed':false,'reason':"
                    + "'unknownSession','ack':0,'time':0,'heartbeat':25000,'limits':{}},"
                    + "{'type':'attached','view':'list','ack':0}]");
            equal(fixture.events, List.of("ended", "CLOSED"));
            equal(line.last().string("type"), "bye");
            isTrue(fixture.clock.timers() <= timers + 1, fixture.clock.timers());
        });
        tests.test("A listener may detach views while the app comes to the foreground.", () -> {
            Fixture fixture = calling(client -> {}, client -> {});
            RefreshView other = fixture.client.attach(
                    new ViewOptions("other", "default"), new ViewListener() {});
            fixture.client.background();
            other.detach();
            fixture.client.foreground();
            equal(fixture.client.status(), Status.CONNECTING);
        });
        tests.test("A batch ends with its connection, and the next one begins with hello.", () -> {
            Fixture fixture = calling(client -> {}, client -> {});
            FakeDaemon.Line first = fixture.daemon.line();
            fixture.client.batch(() -> {
                fixture.list.markRead("a");
                fixture.client.background();
                fixture.client.foreground();
                fixture.list.markRead("b");
            });
            equal(first.types(), List.of("hello", "refresh", "read", "disappear"));
            FakeDaemon.Line second = fixture.daemon.line();
            equal(second.frames, "[]");
            second.listener.onOpen();
            second.resumed(3);
            equal(second.types(), List.of("hello", "refresh", "read", "disappear", "appear",
                    "read"));
        });
        tests.test("A view that a listener of the client detaches receives no fault.", () -> {
            List<String> faults = new ArrayList<>();
            RefreshView[] other = new RefreshView[1];
            Fixture fixture = new Fixture() {
                @Override
                public void onFault(RefreshClient faulty, Fault fault) {
                    other[0].detach();
                }
            };
            fixture.open();
            other[0] = fixture.client.attach(new ViewOptions("other", "default"),
                    new ViewListener() {
                        @Override
                        public void onFault(RefreshView view, Fault fault) {
                            faults.add(fault.codeName());
                        }
                    });
            fixture.daemon.line().push("[{'type':'attached','view':'other','ack':1},"
                    + "{'type':'error','code':'unknownLoad','message':'','temporary':false,"
                    + "'view':'other','seq':1}]");
            equal(faults, "[]");
            equal(fixture.daemon.line().last().string("type"), "detach");
        });
        tests.test("After a damaged frame nothing of its connection has an effect.", () -> {
            Fixture fixture = calling(client -> {}, client -> {});
            FakeDaemon.Line line = fixture.daemon.line();
            line.push("[{'type':'items','view':'list','load':'1.1','mode':'replace','items':[1]}");
            equal(fixture.client.status(), Status.LOST);
            isTrue(line.isAborted, "not aborted");
            line.push("{'type':'items','view':'list','load':'1.2','mode':'replace','items':[2]}");
            equal(fixture.list.items(), "[]");
            fixture.clock.advance(fixture.client.retryInMs());
            fixture.daemon.line().listener.onOpen();
            equal(fixture.daemon.line().hello().object("resume").array("received"), "[]");
        });
    }

    private static RefreshClient client(Transport transport, ManualScheduler clock) {
        return RefreshClient.builder(URI.create("ws://h/"), transport).executor(Runnable::run)
                .scheduler(clock).build();
    }

    private void transports() {
        tests.test("A connection that is open before it is returned is greeted.", () -> {
            FakeDaemon daemon = new FakeDaemon();
            RefreshClient client = client((url, subprotocol, listener) -> {
                Transport.Connection opened = daemon.open(url, subprotocol, listener);
                listener.onOpen();
                return opened;
            }, new ManualScheduler());
            client.connect();
            equal(daemon.line().types(), List.of("hello"));
        });
        tests.test("A client that is closed while its connection is made ends it.", () -> {
            FakeDaemon daemon = new FakeDaemon();
            List<RefreshClient> clients = new ArrayList<>();
            RefreshClient client = client((url, subprotocol, listener) -> {
                clients.get(0).close();
                return daemon.open(url, subprotocol, listener);
            }, new ManualScheduler());
            clients.add(client);
            client.connect();
            isTrue(daemon.line().isAborted, "the connection stays open");
            equal(client.awaitClosed(0), true);
        });
        tests.test("A connection whose methods throw is lost.", () -> {
            FakeDaemon daemon = new FakeDaemon();
            AtomicBoolean isBroken = new AtomicBoolean();
            ManualScheduler clock = new ManualScheduler();
            RefreshClient client = client((url, subprotocol, listener) -> {
                FakeDaemon.Line line = new FakeDaemon.Line(listener) {
                    @Override
                    public void send(String text) {
                        if (isBroken.get()) {
                            throw new IllegalStateException("broken");
                        }
                        super.send(text);
                    }
                };
                daemon.lines.add(line);
                return line;
            }, clock);
            RefreshView list = client.attach(new ViewOptions("list", "default").feed("packages"),
                    new ViewListener() {});
            client.connect();
            daemon.line().listener.onOpen();
            daemon.line().welcome();
            isBroken.set(true);
            list.refresh();
            equal(client.status(), Status.LOST);
            equal(client.closeReason(), "java.lang.IllegalStateException: broken");
            isBroken.set(false);
            clock.advance(client.retryInMs());
            daemon.line().listener.onOpen();
            equal(daemon.line().types(), List.of("hello", "refresh"));
        });
        tests.test("A source of tokens that fails leads to another attempt.", () -> {
            FakeDaemon daemon = new FakeDaemon();
            ManualScheduler clock = new ManualScheduler();
            List<String> tokens = new ArrayList<>();
            RefreshClient client = RefreshClient.builder(URI.create("ws://h/"), daemon)
                    .executor(Runnable::run).scheduler(clock).tokens(reply -> {
                        if (tokens.isEmpty()) {
                            throw new IllegalStateException("signed out");
                        }
                        fails(NullPointerException.class, () -> reply.accept(null));
                        reply.accept(tokens.get(0));
                    }).build();
            client.connect();
            daemon.line().listener.onOpen();
            equal(client.status(), Status.LOST);
            isTrue(client.closeReason().endsWith("signed out"), client.closeReason());
            tokens.add("secret");
            clock.advance(client.retryInMs());
            daemon.line().listener.onOpen();
            equal(daemon.line().hello().string("token"), "secret");
        });
    }

    private void executors() {
        tests.test("An executor that rejects a task ends the client and its connection.", () -> {
            for (boolean isClosed : new boolean[] {false, true}) {
                FakeDaemon daemon = new FakeDaemon();
                AtomicBoolean isShutDown = new AtomicBoolean();
                RefreshClient client = RefreshClient.builder(URI.create("ws://h/"), daemon)
                        .executor(task -> {
                            if (isShutDown.get()) {
                                throw new RejectedExecutionException();
                            }
                            new Thread(task).run();
                        }).scheduler(new ManualScheduler()).build();
                client.connect();
                daemon.line().listener.onOpen();
                isShutDown.set(true);
                if (isClosed) {
                    Thread other = new Thread(client::close);
                    other.start();
                    Tests.join(other);
                } else {
                    daemon.line().welcome();
                    daemon.line().listener.onClosed(1006, "");
                }
                isTrue(daemon.line().isAborted, "the connection stays open");
                equal(client.status(), Status.CLOSED);
                equal(client.awaitClosed(0), true);
            }
        });
    }
}
