import java.net.URI;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import refreshd.client.*;
import refreshd.client.http.HttpTransport;

/** Loads a list, pulls it, and loads its next page. */
class PullAndLoadMore implements ClientListener, ViewListener {
    static final double ROW = 60; // points
    final CountDownLatch isDone = new CountDownLatch(1);
    int pages = 0;

    public static void main(String[] arguments) throws InterruptedException {
        if (arguments.length == 0) {
            System.err.println("usage: PullAndLoadMore URL [FEED]");
            System.exit(2);
        }
        var app = new PullAndLoadMore();
        var client = RefreshClient.builder(URI.create(arguments[0]), new HttpTransport())
                .listener(app).build();
        var feed = arguments.length > 1 ? arguments[1] : "packages";
        var sizes = new Geometry().viewport(new Size().width(390).height(800));
        var refresh = JsonObject.builder().put("type", "refresh").put("animated", false).build();
        client.attach(new ViewOptions("list", "default").feed(feed).geometry(sizes), app,
                List.of(refresh)); // loads the first page in each fresh session
        client.connect();
        app.isDone.await();
        client.close();
        client.awaitClosed(5000);
    }

    @Override public void onItems(RefreshView view, Page page) {
        pages++;
        System.out.println("page " + pages + ": now " + view.items().size() + " items");
        var height = ROW * view.items().size(); // the layout of this app
        view.geometry(new Geometry().content(new Size().width(390).height(height)));
        if (pages == 1) {
            new Thread(() -> pull(view)).start(); // methods that send may run on any thread
        } else if (pages == 2 && view.hasMore()) {
            view.loadMore(); // its end is `onItems`, or `onLoading` if it has no items
        } else {
            isDone.countDown();
        }
    }

    /** The finger pulls the list, and lifts. The list springs back to its room. */
    void pull(RefreshView view) {
        report(view, 0, ScrollPhase.BEGAN);
        report(view, -30, ScrollPhase.DRAGGING); // the top edge becomes PULLING
        report(view, -70, ScrollPhase.DRAGGING); // beyond 64 points: ELIGIBLE
        report(view, -70, ScrollPhase.ENDED); // REFRESHING
        report(view, -67, ScrollPhase.DECELERATING);
        report(view, -64, ScrollPhase.IDLE); // the room of 64 points stays open during the load
    }

    void report(RefreshView view, double offset, ScrollPhase phase) {
        view.scroll(offset, phase);
        try {
            Thread.sleep(16); // one frame
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    @Override public void onUpdate(RefreshView view, Update update) {
        var top = view.edge(Edge.TOP);
        if (update.changes(Edge.TOP) && top != null) System.out.println("top: " + top.state());
    }

    @Override public void onLoading(RefreshView view, LoadEvent event) {
        if (event.hasEndedWithoutItems()) stop(event.phase() + ": " + event.message());
    }

    @Override public void onStatus(RefreshClient client) {
        if (client.status() == Status.LOST) System.err.println(client.closeReason()); // it retries
        if (client.status() == Status.REFUSED) stop(client.closeReason());
    }

    @Override public void onFault(RefreshClient client, Fault fault) {
        stop(fault.message());
    }

    void stop(String reason) {
        System.err.println(reason);
        isDone.countDown();
    }
}
