import java.net.URI;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import refreshd.client.*;
import refreshd.client.http.HttpTransport;

class FirstPull {
    public static void main(String[] arguments) throws Exception {
        if (arguments.length == 0) {
            System.err.println("usage: FirstPull URL [FEED]");
            System.exit(2);
        }
        var feed = arguments.length > 1 ? arguments[1] : "packages";
        var page = new CompletableFuture<Page>();
        var client = RefreshClient.builder(URI.create(arguments[0]), new HttpTransport())
                .listener(new ClientListener() {
                    @Override public void onStatus(RefreshClient changed) {
                        if (changed.status() == Status.REFUSED) fail(changed.closeReason());
                        if (changed.status() == Status.LOST) { // the client connects again
                            System.err.println(changed.closeReason() + "; the next attempt is in "
                                    + changed.retryInMs() + " ms");
                        }
                    }
                    @Override public void onFault(RefreshClient faulty, Fault fault) {
                        fail(fault.message());
                    }
                    private void fail(String reason) {
                        page.completeExceptionally(new IllegalStateException(reason));
                    }
                }).build();
        var refresh = JsonObject.builder().put("type", "refresh").put("animated", false).build();
        client.attach(new ViewOptions("list", "default").feed(feed), new ViewListener() {
            @Override public void onItems(RefreshView view, Page items) { page.complete(items); }
            @Override public void onLoading(RefreshView view, LoadEvent event) {
                var failure = new IllegalStateException(event.message());
                if (event.isFailure()) page.completeExceptionally(failure);
            }
        }, List.of(refresh)); // loads the list in each fresh session, also after a restart
        client.connect();
        var items = page.get().items();
        var first = items.isEmpty() ? "" : ", the first is " + items.get(0);
        System.out.println(items.size() + " items" + first);
        client.close();
        client.awaitClosed(5000);
    }
}
