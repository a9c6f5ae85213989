import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import refreshd.client.*;
import refreshd.client.http.HttpTransport;

/** Loads one page for each run, in one session. The state and the items are kept in a file. */
class LaterProcess {
    public static void main(String[] arguments) throws Exception {
        if (arguments.length < 2) {
            System.err.println("usage: LaterProcess URL FILE [FEED]");
            System.exit(2);
        }
        var file = Path.of(arguments[1]);
        var kept = Files.exists(file)
                ? JsonObject.parse(Files.readString(file)) : JsonObject.empty();
        var feed = arguments.length > 2 ? arguments[2] : "packages";
        var count = new CompletableFuture<Integer>();
        var client = RefreshClient.builder(URI.create(arguments[0]), new HttpTransport())
                .resume(kept.string("state")).listener(new ClientListener() {
                    @Override public void onStatus(RefreshClient changed) {
                        if (!changed.closeReason().isEmpty()) { // LOST or REFUSED
                            System.err.println(changed.closeReason());
                        }
                        if (changed.status() == Status.REFUSED) count.complete(-1);
                    }
                }).build();
        var refresh = JsonObject.builder().put("type", "refresh").put("animated", false).build();
        var list = client.attach(new ViewOptions("list", "default").feed(feed), new ViewListener() {
            @Override public void onAttached(RefreshView view, Update insets, boolean isResumed) {
                if (!isResumed) return; // a fresh session sends the initial message instead
                System.out.println("resumed with " + view.items().size() + " items");
                view.loadMore();
            }
            @Override public void onItems(RefreshView view, Page page) {
                count.complete(view.items().size());
            }
        }, List.of(refresh));
        var items = kept.array("items");
        if (items != null) list.restoreItems(items);
        client.connect();
        if (count.get() < 0) System.exit(1);
        System.out.println("now " + count.get() + " items");
        client.background(); // the session waits for the next process
        var saved = new CompletableFuture<JsonObject>();
        client.run(() -> saved.complete(JsonObject.builder()
                .put("state", client.saveState()).put("items", list.items()).build()));
        Files.writeString(file, saved.get().toString());
    }
}
