package refreshd.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static refreshd.client.Tests.equal;
import static refreshd.client.Tests.fails;
import static refreshd.client.Tests.isTrue;

import java.net.URI;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;

/** The connections of a session: back-off, liveness, background and foreground. */
final class ReconnectionTests {
    private final Tests tests;

    ReconnectionTests(Tests tests) {
        this.tests = tests;
    }

    void run() {
        backoff();
        liveness();
        background();
    }

    private void backoff() {
        tests.test("The wait is random, and both its bounds double up to 30 s.", () -> {
            long seed = System.nanoTime();
            Fixture fixture = new Fixture(new Random(seed), Collections.emptyList());
            fixture.client.connect();
            for (int attempt = 0; attempt < 12; attempt++) {
                fixture.daemon.line().listener.onClosed(1006, "");
                double most = Math.min(1000 * Math.pow(2, attempt), 30_000);
                long wait = fixture.client.retryInMs();
                isTrue(wait >= most / 10 - 1 && wait <= most, "seed " + seed + ": " + wait);
                fixture.clock.advance(wait);
                equal(fixture.daemon.lines.size(), attempt + 2);
            }
        });
        tests.test("A session that was open for 5 s resets the wait.", () -> {
            Fixture fixture = new Fixture(maximum(), Collections.emptyList());
            fixture.client.connect();
            fixture.reconnect();
            fixture.daemon.line().welcome();
            fixture.clock.advance(4999);
            fixture.daemon.line().listener.onClosed(1006, "");
            equal(fixture.client.retryInMs(), 2000);
            fixture.clock.advance(2000);
            fixture.daemon.line().listener.onOpen();
            fixture.daemon.line().resumed(0);
            fixture.clock.advance(1000);
            fixture.daemon.line().push("{'type':'pong','t':1,'time':1}");
            fixture.clock.advance(4000);
            fixture.daemon.line().listener.onClosed(1006, "");
            equal(fixture.client.retryInMs(), 1000);
        });
        tests.test("After 4200 the first attempt follows at once.", () -> {
            Fixture fixture = new Fixture().open();
            fixture.daemon.line().listener.onClosed(4200, "");
            equal(fixture.client.retryInMs(), 0);
            fixture.clock.advance(0);
            fixture.daemon.line().listener.onClosed(4200, "");
            isTrue(fixture.client.retryInMs() >= 200, fixture.client.retryInMs());
        });
        tests.test("After a code that blames the client, it does not connect again.", () -> {
            for (int code : new int[] {1007, 1009, 4000, 4001, 4004, 4005, 4099}) {
                Fixture fixture = new Fixture().open();
                fixture.daemon.line().listener.onClosed(code, "");
                fixture.client.reconnectNow();
                fixture.list.refresh();
                fixture.clock.advance(100_000);
                equal(fixture.client.status(), Status.REFUSED);
                equal(fixture.client.closeCode(), code);
                equal(fixture.daemon.lines.size(), 1);
                isTrue(fixture.events.contains("ended"), fixture.events);
            }
        });
        tests.test("An upgrade refused before the first welcome is not tried again.", () -> {
            for (int code : new int[] {400, 403, 404}) {
                Fixture fixture = new Fixture();
                fixture.client.connect();
                fixture.daemon.line().listener.onRefused(code, "");
                fixture.clock.advance(100_000);
                equal(fixture.client.status(), Status.REFUSED);
                equal(fixture.client.closeCode(), code);
                isTrue(fixture.client.closeReason().startsWith("ws://127.0.0.1/v1/session was "
                        + "refused with the status " + code + "; "), fixture.client.closeReason());
                equal(fixture.daemon.lines.size(), 1);
            }
        });
        tests.test("A refusal names the path only if it is another one.", () -> {
            String text = Refusal.text(URI.create("ws://h:1/v2"), 404, "");
            equal(text, "ws://h:1/v2 was refused with the status 404; a daemon serves sessions at "
                    + "the path /v1/session");
            text = Refusal.text(URI.create("ws://10.0.2.2:8080/v1/session"), 400, "");
            isTrue(text.contains("; the daemon does not accept the subprotocol refresh.v1 or the "
                    + "host 10.0.2.2:8080 "), text);
        });
        tests.test("A refusal has the explanation of the daemon, or that of a proxy.", () -> {
            URI url = URI.create("ws://h:1/v1/session");
            equal(Refusal.text(url, 400, "{\"code\":\"hostNotAllowed\",\"message\":\"No.\"}"),
                    url + " was refused with the status 400: No. (hostNotAllowed)");
            isTrue(Refusal.text(url, 400, "{\"message\":\"No.\",\"page\":\"p#a\"}")
                    .endsWith(", see p#a"), "the page is missing");
            equal(Refusal.text(url, 404, "not here"),
                    url + " was refused with the status 404: not here");
        });
        tests.test("A fault before welcome refuses the client, and is the reason.", () -> {
            Fixture fixture = new Fixture();
            fixture.client.connect();
            fixture.daemon.line().listener.onOpen();
            fixture.daemon.line().push("[{'type':'error','code':'valueOutOfRange','message':"
                    + "'It is too small.','temporary':false,'field':'fill'},{'type':'error',"
                    + "'code':'helloRequired','message':'','temporary':false}]");
            equal(fixture.events, List.of("CONNECTING", "fault valueOutOfRange", "REFUSED"));
            equal(fixture.client.closeReason(), "the daemon has refused hello: It is too small. "
                    + "(valueOutOfRange, fill)");
            equal(fixture.client.closeCode(), 0);
            fixture.clock.advance(100_000);
            equal(fixture.daemon.lines.size(), 1);
            isTrue(fixture.daemon.line().isAborted, "not aborted");
        });
        tests.test("A temporary fault before welcome leads to another attempt.", () -> {
            Fixture fixture = new Fixture();
            fixture.client.connect();
            fixture.daemon.line().listener.onOpen();
            fixture.daemon.line().push("{'type':'error','code':'tooManySessions','message':"
                    + "'It is full.','temporary':true}");
            fixture.daemon.line().listener.onClosed(4102, "");
            equal(fixture.client.status(), Status.LOST);
            isTrue(fixture.client.closeReason().contains("It is full."),
                    fixture.client.closeReason());
            fixture.reconnect();
            fixture.daemon.line().welcome();
            fixture.daemon.line().listener.onClosed(1006, "");
            equal(fixture.client.closeReason(), "the connection was lost");
        });
        tests.test("A fault with a close code leaves the refusal to the close frame.", () -> {
            Fixture fixture = new Fixture();
            fixture.client.connect();
            fixture.daemon.line().listener.onOpen();
            fixture.daemon.line().push("{'type':'error','code':'unauthorized','message':"
                    + "'The token is unknown.','temporary':false}");
            equal(fixture.client.status(), Status.CONNECTING);
            fixture.daemon.line().listener.onClosed(4004, "");
            equal(fixture.client.status(), Status.REFUSED);
            equal(fixture.client.closeCode(), 4004);
            isTrue(fixture.client.closeReason().contains("The token is unknown."),
                    fixture.client.closeReason());
        });
        tests.test("A lost connection has a reason, also without one of the transport.", () -> {
            Fixture fixture = new Fixture().open();
            equal(fixture.client.closeReason(), "");
            fixture.daemon.line().listener.onClosed(1006, "");
            equal(fixture.client.closeReason(), "the connection was lost");
            fixture.reconnect();
            fixture.daemon.line().listener.onClosed(4100, "");
            equal(fixture.client.closeReason(),
                    "the daemon has closed the connection with the code 4100");
        });
        tests.test("A host with an underscore is refused with this reason.", () -> {
            try {
                RefreshClient.builder(URI.create("ws://my_host:80/v1/session"), new FakeDaemon());
            } catch (IllegalArgumentException refused) {
                isTrue(refused.getMessage().endsWith("but no _"), refused.getMessage());
                return;
            }
            throw new AssertionError("nothing was thrown");
        });
        tests.test("Other refusals, and those after a welcome, are tried again.", () -> {
            Fixture fixture = new Fixture();
            fixture.client.connect();
            fixture.daemon.line().listener.onRefused(503, "");
            equal(fixture.client.status(), Status.LOST);
            fixture.clock.advance(fixture.client.retryInMs());
            fixture.daemon.line().listener.onOpen();
            fixture.daemon.line().welcome();
            fixture.daemon.line().listener.onClosed(1006, "");
            fixture.clock.advance(fixture.client.retryInMs());
            fixture.daemon.line().listener.onRefused(404, "");
            equal(fixture.client.status(), Status.LOST);
            equal(fixture.client.closeCode(), 1006);
        });
        tests.test("A refusal with Retry-After is tried again after this time at random.", () -> {
            for (int status : new int[] {429, 503}) {
                Fixture fixture = new Fixture(maximum(), Collections.emptyList());
                fixture.client.connect();
                fixture.daemon.line().listener.onRefused(status, "", "120");
                equal(fixture.client.status(), Status.LOST);
                equal(fixture.client.retryInMs(), 121_000);
                fixture.clock.advance(120_999);
                equal(fixture.daemon.lines.size(), 1);
                fixture.clock.advance(1);
                equal(fixture.daemon.lines.size(), 2);
                fixture.daemon.line().listener.onRefused(status, "");
                equal(fixture.client.retryInMs(), 2000);
            }
        });
        tests.test("Retry-After is a number of seconds or a date, and at most one day.", () -> {
            long now = 784_111_777_000L; // Sun, 06 Nov 1994 08:49:37 GMT (RFC 9110)
            equal(RetryAfter.waitMs(" 3 ", now), 3000);
            equal(RetryAfter.waitMs("999999999", now), 86_400_000);
            equal(RetryAfter.waitMs("Sun, 06 Nov 1994 08:50:00 GMT", now), 23_000);
            equal(RetryAfter.waitMs("Sun, 06 Nov 1994 08:49:00 GMT", now), 0);
            equal(RetryAfter.waitMs("Fri, 06 Nov 2093 08:49:37 GMT", now), 86_400_000);
            for (String other : new String[] {null, "", "-1", "1.5", "soon", "99999999999"}) {
                equal(RetryAfter.waitMs(other, now), 0);
            }
        });
        tests.test("A URL without a WebSocket scheme or a host is refused at once.", () -> {
            for (String url : new String[] {"http://h/v1/session", "h:80", "ws:///v1/session"}) {
                fails(IllegalArgumentException.class, () -> RefreshClient.builder(
                        java.net.URI.create(url), new FakeDaemon()));
            }
        });
        tests.test("An upgrade that a server refuses is reported with its status.", () -> {
            CompletableFuture<String> refusal = new CompletableFuture<>();
            try (java.net.ServerSocket server = new java.net.ServerSocket(0)) {
                Thread answering = new Thread(() -> answerNotFound(server));
                answering.start();
                new refreshd.client.http.HttpTransport().open(
                        java.net.URI.create("ws://127.0.0.1:" + server.getLocalPort() + "/x"),
                        "refresh.v1", new Transport.Listener() {
                            @Override
                            public void onOpen() {}

                            @Override
                            public void onText(String text) {}

                            @Override
                            public void onClosed(int code, String reason) {
                                refusal.complete("closed with " + code);
                            }

                            @Override
                            public void onRefused(int status, String body, String retryAfter) {
                                refusal.complete("refused with " + status + ": " + body
                                        + ", try after " + retryAfter);
                            }
                        });
                equal(Tests.await(refusal), "refused with 404: {}, try after 7");
                Tests.join(answering);
            }
        });
        tests.test("A failed connection is explained with its address and its cause.", () -> {
            int port;
            try (java.net.ServerSocket unused = new java.net.ServerSocket(0)) {
                port = unused.getLocalPort();
            }
            CompletableFuture<String> explanation = new CompletableFuture<>();
            RefreshClient client = RefreshClient.builder(java.net.URI.create(
                    "ws://127.0.0.1:" + port + "/v1/session"),
                    new refreshd.client.http.HttpTransport()).listener(new ClientListener() {
                        @Override
                        public void onStatus(RefreshClient changed) {
                            if (changed.status() == Status.LOST) {
                                explanation.complete(changed.closeReason());
                            }
                        }
                    }).build();
            client.connect();
            String text = Tests.await(explanation);
            client.close();
            isTrue(text.startsWith("127.0.0.1:" + port + ": java.net.ConnectException"), text);
        });
        tests.test("The app can end the wait, because the network is back.", () -> {
            Fixture fixture = new Fixture(maximum(), Collections.emptyList()).open();
            fixture.daemon.line().listener.onClosed(1006, "");
            fixture.client.reconnectNow();
            equal(fixture.daemon.lines.size(), 2);
            fixture.clock.advance(2000);
            equal(fixture.daemon.lines.size(), 2);
        });
        tests.test("A transport that throws counts as a lost connection.", () -> {
            ManualScheduler clock = new ManualScheduler();
            RefreshClient client = RefreshClient.builder(java.net.URI.create("ws://h/"),
                    (url, subprotocol, listener) -> {
                        throw new IllegalArgumentException("no network");
                    }).executor(Runnable::run).scheduler(clock).build();
            client.connect();
            equal(client.status(), Status.LOST);
            isTrue(client.closeReason().contains("no network"), client.closeReason());
        });
    }

    /** Answers one request with 404. */
    private static void answerNotFound(java.net.ServerSocket server) {
        try (java.net.Socket socket = server.accept()) {
            java.io.BufferedReader lines = new java.io.BufferedReader(
                    new java.io.InputStreamReader(socket.getInputStream(), UTF_8));
            String line = lines.readLine();
            while (line != null && !line.isEmpty()) {
                line = lines.readLine();
            }
            socket.getOutputStream().write(("HTTP/1.1 404 Not Found\r\nContent-Length: 2\r\n"
                    + "Retry-After: 7\r\nConnection: close\r\n\r\n{}").getBytes(UTF_8));
        } catch (java.io.IOException failure) {
            throw new java.io.UncheckedIOException(failure);
        }
    }

    /** A source whose numbers are just below 1. */
    private static Random maximum() {
        return new Random() {
            private static final long serialVersionUID = 1L;

            @Override
            public double nextDouble() {
                return 1;
            }
        };
    }

    private void liveness() {
        tests.test("A connection without welcome is lost after 10 s.", () -> {
            Fixture fixture = new Fixture();
            fixture.client.connect();
            fixture.daemon.line().listener.onOpen();
            fixture.clock.advance(9999);
            equal(fixture.client.status(), Status.CONNECTING);
            fixture.clock.advance(1);
            equal(fixture.client.status(), Status.LOST);
            isTrue(fixture.daemon.line().isAborted, "not aborted");
        });
        tests.test("A connection whose ping is unanswered for 5 s is lost.", () -> {
            Fixture fixture = new Fixture().open();
            fixture.clock.advance(4999);
            equal(fixture.client.status(), Status.OPEN);
            fixture.clock.advance(1);
            equal(fixture.client.status(), Status.LOST);
            isTrue(fixture.daemon.lines.get(0).isAborted, "not aborted");
        });
        tests.test("After three pings a client pings only after the heartbeat of silence.", () -> {
            Fixture fixture = new Fixture().open();
            FakeDaemon.Line line = fixture.daemon.line();
            for (int pong = 0; pong < 3; pong++) {
                line.push("{'type':'pong','t':" + fixture.clock.now() + ",'time':1}");
                fixture.clock.advance(1000);
            }
            equal(line.pings(), 3);
            fixture.clock.advance(23_000);
            equal(line.pings(), 3);
            fixture.list.refresh();
            fixture.clock.advance(24_999);
            equal(line.pings(), 3);
            fixture.clock.advance(1);
            equal(line.pings(), 4);
        });
        tests.test("The daemon's clock follows from the ping with the best round trip.", () -> {
            Fixture fixture = new Fixture().open();
            double sent = fixture.clock.now();
            fixture.clock.advance(40);
            fixture.daemon.line().push("{'type':'pong','t':" + sent + ",'time':5020}");
            equal(fixture.client.roundTripMs(), 40.0);
            equal(fixture.client.clock().localTime(5020), sent + 20);
        });
        tests.test("A frame that is not JSON ends the connection, and the session resumes.", () -> {
            Fixture fixture = new Fixture().open();
            fixture.daemon.line().push("{'type':");
            equal(fixture.client.status(), Status.LOST);
            fixture.clock.advance(fixture.client.retryInMs());
            fixture.daemon.line().listener.onOpen();
            isTrue(fixture.daemon.line().hello().has("resume"), fixture.daemon.line().hello());
        });
    }

    private void background() {
        tests.test("In the background there is neither a connection nor a timer.", () -> {
            Fixture fixture = new Fixture().open();
            FakeDaemon.Line line = fixture.daemon.line();
            fixture.client.background();
            equal(fixture.client.status(), Status.SUSPENDED);
            equal(line.types(), List.of("hello", "disappear"));
            equal(line.closeCode, 1001);
            fixture.client.reconnectNow();
            fixture.clock.advance(5000);
            isTrue(line.isAborted, "the daemon never closes");
            fixture.clock.advance(100_000);
            equal(fixture.daemon.lines.size(), 1);
            equal(fixture.clock.timers(), 0);
        });
        tests.test("In the foreground the session resumes, and the views appear again.", () -> {
            Fixture fixture = new Fixture().open();
            RefreshView covered = fixture.client.attach(
                    new ViewOptions("other", "default"), new ViewListener() {});
            covered.disappear();
            fixture.client.background();
            fixture.list.refresh();
            fixture.client.foreground();
            FakeDaemon.Line line = fixture.daemon.line();
            line.listener.onOpen();
            isTrue(line.hello().has("resume"), line.hello());
            equal(line.types(), List.of("hello", "disappear", "disappear", "refresh", "appear"));
            equal(line.last().string("view"), "list");
            line.resumed(2);
            equal(fixture.client.status(), Status.OPEN);
        });
        tests.test("A client that begins in the background connects in the foreground.", () -> {
            Fixture fixture = new Fixture();
            fixture.client.background();
            fixture.client.connect();
            equal(fixture.daemon.lines.size(), 0);
            fixture.client.foreground();
            equal(fixture.daemon.lines.size(), 1);
            equal(fixture.client.status(), Status.CONNECTING);
        });
        tests.test("In the foreground a client connects, also without a call of connect.", () -> {
            Fixture fixture = new Fixture();
            fixture.client.foreground();
            equal(fixture.daemon.lines.size(), 1);
            fixture.client.foreground();
            fixture.client.connect();
            equal(fixture.daemon.lines.size(), 1);
            fixture.daemon.line().listener.onOpen();
            fixture.daemon.line().welcome();
            equal(fixture.client.status(), Status.OPEN);
            Fixture second = new Fixture();
            second.client.background();
            second.client.foreground();
            equal(second.client.status(), Status.CONNECTING);
        });
        tests.test("A listener may close the client before its first connection is opened.", () -> {
            FakeDaemon daemon = new FakeDaemon();
            RefreshClient client = RefreshClient.builder(URI.create("ws://h/"), daemon)
                    .listener(new ClientListener() {
                        @Override
                        public void onStatus(RefreshClient changed) {
                            if (changed.status() == Status.CONNECTING) {
                                changed.close();
                            }
                        }
                    }).build();
            client.connect();
            isTrue(client.awaitClosed(60_000), "not closed");
            equal(daemon.lines.size(), 0);
            equal(client.status(), Status.CLOSED);
        });
        tests.test("A client that is closed sends bye and never connects again.", () -> {
            Fixture fixture = new Fixture().open();
            FakeDaemon.Line line = fixture.daemon.line();
            fixture.client.close();
            fixture.client.foreground();
            fails(IllegalStateException.class, fixture.client::connect);
            fails(IllegalStateException.class, () -> fixture.client.attach(
                    new ViewOptions("other", "default"), new ViewListener() {}));
            fixture.client.reconnectNow();
            fixture.list.refresh();
            equal(line.types(), List.of("hello", "bye"));
            equal(line.closeCode, 1000);
            equal(fixture.client.awaitClosed(0), false);
            line.listener.onClosed(1000, "");
            equal(fixture.client.awaitClosed(0), true);
            fixture.clock.advance(100_000);
            equal(fixture.daemon.lines.size(), 1);
            equal(fixture.client.status(), Status.CLOSED);
        });
    }
}
