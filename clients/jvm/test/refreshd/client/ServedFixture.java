package refreshd.client;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import refreshd.client.http.HttpTransport;

/**
 * A daemon with a feed whose backend is in the test, and a client whose connections the test can
 * cut. The backend performs each edit once by its idempotency key.
 */
class ServedFixture implements ClientListener, ViewListener, AutoCloseable {
    private static final long LIMIT_SECONDS = 60;

    /** The keys of all calls for edits. */
    final List<String> calls = new ArrayList<>();
    /** The offsets of the pages that were requested. */
    final List<Integer> offsets = new ArrayList<>();
    private final Map<String, String> answers = new HashMap<>();
    private List<Object> items = new ArrayList<>();
    volatile boolean refuses = false;
    volatile boolean renames = false;
    /** Edits wait for it. */
    volatile CountDownLatch goesOn = new CountDownLatch(0);
    final CountDownLatch hasCall = new CountDownLatch(1);
    /** What the listeners were told. */
    final List<String> events = new ArrayList<>();
    final List<Edited> answered = new ArrayList<>();
    RefreshClient client;
    RefreshView list;
    private final HttpServer backend;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Path configuration;
    private final Process daemon;
    private final int port;
    private final Semaphore changes = new Semaphore(0);
    private volatile boolean isCut = false;
    private volatile Transport.Connection connection = null;

    ServedFixture(String binary, int count, int size) throws Exception {
        for (int index = 0; index < count; index++) {
            items.add(JsonObject.builder().put("id", "i" + index).build());
        }
        backend = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        backend.createContext("/items", exchange -> answer(exchange, 200, page(exchange)));
        backend.createContext("/edits", this::edit);
        backend.setExecutor(threads);
        backend.start();
        String url = "http://127.0.0.1:" + backend.getAddress().getPort();
        configuration = Files.createTempFile("refreshd", ".yaml");
        Files.write(configuration, ("feeds:\n  board:\n    backend: http\n    url: \"" + url
                + "/items?offset={offset}&size={size}\"\n    paging: offset\n    size: " + size
                + "\n    itemKey: /id\n    edits:\n      url: \"" + url + "/edits\"\n"
                + "      operations: [insert, update, remove, move]\n")
                .getBytes(StandardCharsets.UTF_8));
        daemon = new ProcessBuilder(binary, "--listen", "127.0.0.1:0", "--config",
                configuration.toString()).redirectError(ProcessBuilder.Redirect.DISCARD).start();
        port = (int) JsonObject.parse(new BufferedReader(new InputStreamReader(
                daemon.getInputStream(), StandardCharsets.UTF_8)).readLine()).integer("port", 0);
    }

    // The backend

    private synchronized JsonObject page(HttpExchange exchange) {
        Map<String, Integer> query = new HashMap<>();
        for (String pair : exchange.getRequestURI().getQuery().split("&")) {
            query.put(pair.split("=")[0], Integer.parseInt(pair.split("=")[1]));
        }
        int start = Math.min(query.get("offset"), items.size());
        offsets.add(start);
        return JsonObject.builder().put("total", items.size()).put("items", new ArrayList<>(
                items.subList(start, Math.min(start + query.get("size"), items.size())))).build();
    }

    private void edit(HttpExchange exchange) throws IOException {
        JsonObject body;
        try {
            body = JsonObject.parse(new String(
                    exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
        } catch (JsonException damaged) {
            throw new IOException(damaged);
        }
        synchronized (this) {
            calls.add(exchange.getRequestHeaders().getFirst("Idempotency-Key"));
        }
        hasCall.countDown();
        Tests.await(goesOn);
        JsonObject answer;
        synchronized (this) {
            String key = body.string("edit");
            if (!answers.containsKey(key)) {
                answers.put(key, refuses ? "{}" : perform(body.object("operation")).toString());
            }
            answer = EditTests.operation(answers.get(key));
        }
        answer(exchange, refuses ? 422 : 200, answer);
    }

    private JsonObject perform(JsonObject operation) {
        JsonObject item = operation.object("insert");
        if (item == null) {
            items.removeIf(one -> ((JsonObject) one).get("id").equals(operation.get("remove")));
            return JsonObject.empty();
        }
        JsonObject named = renames
                ? item.toBuilder().put("id", "named-" + item.string("id")).build() : item;
        items.add("start".equals(operation.string("at")) ? 0 : items.size(), named);
        return renames ? JsonObject.builder().put("item", named).build() : JsonObject.empty();
    }

    private static void answer(HttpExchange exchange, int status, JsonObject body) {
        byte[] bytes = body.toString().getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        try {
            exchange.sendResponseHeaders(status, bytes.length);
            exchange.getResponseBody().write(bytes);
        } catch (IOException gone) {
            throw new UncheckedIOException(gone);
        } finally {
            exchange.close();
        }
    }

    synchronized List<Integer> offsets() {
        return new ArrayList<>(offsets);
    }

    synchronized List<String> calls() {
        return new ArrayList<>(calls);
    }

    // The client

    /** Makes a client, which continues the state of another one, with one view. */
    ServedFixture connect(String state, ViewOptions options, List<?> stored) {
        events.clear();
        answered.clear();
        Transport transport = new HttpTransport();
        client = RefreshClient.builder(
                URI.create("ws://127.0.0.1:" + port + "/v1/session"),
                (url, subprotocol, listener) -> {
                    if (isCut) {
                        throw new IllegalStateException("the way to the daemon is cut");
                    }
                    connection = transport.open(url, subprotocol, listener);
                    return connection;
                }).listener(this).resume(state).features(Feature.PATCH, Feature.LIVE,
                        Feature.EDITS, Feature.VISIBLE_RANGE).build();
        list = client.attach(options.initial(Initial.LOAD), this);
        if (stored != null) {
            list.restoreItems(stored);
        }
        client.connect();
        return this;
    }

    /** Waits for events until a condition is true on the executor. */
    void until(Callable<Boolean> condition) throws Exception {
        while (!on(condition)) {
            Tests.isTrue(changes.tryAcquire(LIMIT_SECONDS, TimeUnit.SECONDS), events);
        }
    }

    /** Returns a value that is read on the executor. */
    <T> T on(Callable<T> reading) throws Exception {
        CompletableFuture<T> result = new CompletableFuture<>();
        client.run(() -> {
            try {
                result.complete(reading.call());
            } catch (Exception failure) {
                result.completeExceptionally(failure);
            }
        });
        return Tests.await(result);
    }

    String shown() throws Exception {
        return on(() -> EditTests.keys(list.items()).replace("\"", ""));
    }

    /** Cuts the connection, and lets no other one open until {@link #mend}. */
    void cut() throws Exception {
        isCut = true;
        connection.abort();
        until(() -> client.status() == Status.LOST);
    }

    void mend() {
        isCut = false;
        client.reconnectNow();
    }

    private void record(String event) {
        events.add(event);
        changes.release();
    }

    @Override
    public void onStatus(RefreshClient changed) {
        record(String.valueOf(changed.status()));
    }

    @Override
    public void onItems(RefreshView view, Page page) {
        record("items " + EditTests.keys(view.items()).replace("\"", ""));
    }

    @Override
    public void onEdited(RefreshView view, Edited edited) {
        answered.add(edited);
        record("edited " + EditTests.keys(view.items()).replace("\"", ""));
    }

    @Override
    public void onFault(RefreshClient faulty, Fault fault) {
        record("fault " + fault.message());
    }

    @Override
    public void close() throws IOException {
        client.close();
        goesOn.countDown();
        daemon.destroyForcibly();
        backend.stop(0);
        threads.shutdownNow();
        Files.delete(configuration);
    }
}
