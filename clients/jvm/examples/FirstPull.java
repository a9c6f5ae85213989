import java.net.URI;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import refreshd.client.*;
import refreshd.client.http.HttpTransport;

class FirstPull {
    public static void main(String[] arguments) throws Exception {
        var feed = arguments.length > 1 ? arguments[1] : "packages";
        var page = new CompletableFuture<Page>();
        var client = RefreshClient.builder(URI.create(arguments[0]), new HttpTransport())
                .listener(new ClientListener() {
                    @Override public void onStatus(RefreshClient changed) {
                        if (changed.status() == Status.REFUSED) fail(changed.closeReason());
                    }
                    @Override public void onFault(RefreshClient faulty, Fault fault) {
                        fail(fault.message());
                    }
                    private void fail(String reason) {
                        page.completeExceptionally(new IllegalStateException(reason));
                    }
                }).build();
        var refresh = JsonObject.builder().put("type", "refresh").build();
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
