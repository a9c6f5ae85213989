import java.net.URI;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import refreshd.client.ClientListener;
import refreshd.client.Edge;
import refreshd.client.EdgeStatus;
import refreshd.client.Fault;
import refreshd.client.Geometry;
import refreshd.client.LoadEvent;
import refreshd.client.Page;
import refreshd.client.RefreshClient;
import refreshd.client.RefreshView;
import refreshd.client.ScrollPhase;
import refreshd.client.Size;
import refreshd.client.Status;
import refreshd.client.Update;
import refreshd.client.ViewListener;
import refreshd.client.ViewOptions;
import refreshd.client.http.HttpTransport;

/**
 * Pulls a list on the console, and prints what the daemon decides.
 *
 * <pre>java -cp refreshd-client.jar PullList.java ws://127.0.0.1:8080/v1/session [FEED]</pre>
 */
public final class PullList implements ViewListener, ClientListener {
    private static final int FRAME_MS = 16;
    private static final int SPRING_FRAMES = 16;

    private final CompletableFuture<String> result = new CompletableFuture<>();
    private boolean isPulled = false;

    /** Pulls the feed in the second argument, at the URL in the first. */
    public static void main(String[] arguments) throws Exception {
        if (arguments.length == 0) {
            System.err.println("usage: PullList URL [FEED]");
            System.exit(2);
        }
        PullList example = new PullList();
        RefreshClient client = RefreshClient
                .builder(URI.create(arguments[0]), new HttpTransport()).listener(example).build();
        String feed = arguments.length > 1 ? arguments[1] : "packages";
        client.attach(new ViewOptions("list", "iqpulltorefresh").feed(feed).geometry(
                new Geometry().viewport(new Size().width(390).height(800))), example);
        client.connect();
        System.out.println(example.result.get(60, TimeUnit.SECONDS));
        client.close();
        client.awaitClosed(5000);
    }

    @Override
    public void onAttached(RefreshView view, Update command, boolean isResumed) {
        if (!isPulled) {
            isPulled = true;
            new Thread(() -> pull(view)).start(); // methods that send may run on any thread
        }
    }

    /** The finger pulls the list by 80 points and lifts. The list springs back to its room. */
    private void pull(RefreshView view) {
        view.scroll(0, ScrollPhase.BEGAN);
        for (int step = 1; step <= 20; step++) {
            pause();
            view.scroll(-4 * step, ScrollPhase.DRAGGING);
        }
        view.scroll(-80, ScrollPhase.ENDED);
        double offset = -80;
        for (int step = SPRING_FRAMES; step > 0; step--) {
            pause();
            double rest = -view.inset(Edge.TOP);
            offset += (rest - offset) / step;
            view.scroll(offset, ScrollPhase.DECELERATING);
        }
        view.scroll(offset, ScrollPhase.IDLE);
    }

    private static void pause() {
        try {
            Thread.sleep(FRAME_MS);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void onUpdate(RefreshView view, Update update) {
        EdgeStatus top = view.edge(Edge.TOP);
        if (update.changes(Edge.TOP) && top != null) {
            Double progress = top.progress();
            System.out.println(top.state().wireName()
                    + (progress == null ? "" : String.format(" %.2f", progress)));
        }
    }

    @Override
    public void onItems(RefreshView view, Page page) {
        result.complete(view.items().size() + " items received");
    }

    @Override
    public void onLoading(RefreshView view, LoadEvent event) {
        if (event.isFailure()) {
            result.completeExceptionally(new IllegalStateException(event.message()));
        }
    }

    @Override
    public void onStatus(RefreshClient client) {
        if (client.status() == Status.LOST) { // the client connects again
            System.err.println(client.closeReason());
        }
        if (client.status() == Status.REFUSED) {
            result.completeExceptionally(new IllegalStateException(client.closeReason()));
        }
    }

    @Override
    public void onFault(RefreshClient client, Fault fault) {
        result.completeExceptionally(new IllegalStateException(fault.message()));
    }
}
