package refreshd.conform;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import refreshd.client.JsonException;
import refreshd.client.JsonObject;
import refreshd.client.ProtocolVersion;

/**
 * Receives orders as lines of JSON, applies each order to the client, and answers with what the
 * client then shows.
 */
public final class Driver {
    private static final Object[] ABILITIES = {
        "scroll", "overscroll", "pan", "resume", "snapshots", "backend", "views", "reversed",
        "requests", "features", "queries", "anchors", "patches", "live", "edits",
        "sections", "rows"
    };

    /** The client and its simulated user run on this thread. */
    private final ScheduledExecutorService executor = Executors.newSingleThreadScheduledExecutor();

    private DrivenClient client = null;

    private Driver() {}

    /** Executes orders until the probe ends the connection. */
    public static void main(String[] arguments) throws Exception {
        String address = arguments.length > 0 ? arguments[0] : System.getenv("REFRESH_DRIVER");
        int colon = address.lastIndexOf(':');
        String host = address.substring(0, colon).replaceAll("[\\[\\]]", "");
        try (Socket socket = new Socket(host, Integer.parseInt(address.substring(colon + 1)))) {
            new Driver().serve(socket);
        }
        System.exit(0); // threads of the client may still run
    }

    private void serve(Socket socket) throws Exception {
        OutputStream output = socket.getOutputStream();
        BufferedReader input = new BufferedReader(
                new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
        write(output, JsonObject.builder().put("driver", 1)
                .put("client", "jvm/" + ProtocolVersion.CLIENT)
                .put("can", Arrays.asList(ABILITIES)).build());
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            write(output, answer(JsonObject.parse(line)));
        }
    }

    private static void write(OutputStream output, JsonObject line) throws IOException {
        output.write((line + "\n").getBytes(StandardCharsets.UTF_8));
        output.flush();
    }

    private JsonObject answer(JsonObject order) throws InterruptedException {
        JsonObject.Builder answer = JsonObject.builder().put("order", order.get("order"));
        try {
            CompletableFuture<Void> done = new CompletableFuture<>();
            executor.execute(() -> begin(order, done));
            done.get();
            answer.put("shown", CompletableFuture.supplyAsync(this::shown, executor).get());
        } catch (ExecutionException failure) {
            Throwable cause = failure.getCause();
            boolean isUnable = cause instanceof UnsupportedOperationException;
            answer.put(isUnable ? "cannot" : "error", String.valueOf(cause));
        }
        return answer.build();
    }

    private JsonObject shown() {
        return client == null ? JsonObject.empty() : client.shown();
    }

    /** Begins an order; {@code done} completes when the order is carried out. */
    private void begin(JsonObject order, CompletableFuture<Void> done) {
        try {
            String action = String.valueOf(order.string("do"));
            if (action.equals("connect") || action.equals("reset")) {
                if (client != null) {
                    client.destroy();
                }
                client = action.equals("connect") ? new DrivenClient(order, executor) : null;
            } else if (action.equals("drag")) {
                client.user(order).drag(order, done);
                return;
            } else if (!action.equals("report")) {
                client.perform(action, order);
            }
            done.complete(null);
        } catch (RuntimeException | JsonException failure) {
            done.completeExceptionally(failure);
        }
    }

    /** Runs a task on the thread of the client after a delay. */
    static Runnable cancellable(ScheduledExecutorService executor, Runnable task, double ms) {
        return cancellation(executor.schedule(task, Math.round(ms * 1000), TimeUnit.MICROSECONDS));
    }

    private static Runnable cancellation(java.util.concurrent.Future<?> future) {
        return () -> future.cancel(false);
    }
}
