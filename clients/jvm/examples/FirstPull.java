import java.net.URI;
import java.util.concurrent.CompletableFuture;
import refreshd.client.*;
import refreshd.client.http.HttpTransport;

class FirstPull {
    public static void main(String[] arguments) throws Exception {
        var page = new CompletableFuture<Page>();
        var client = RefreshClient.builder(URI.create(arguments[0]), new HttpTransport()).build();
        var options = new ViewOptions("list", "default").feed("packages");
        var list = client.attach(options, new ViewListener() {
            @Override public void onItems(RefreshView view, Page items) { page.complete(items); }
        });
        client.connect();
        list.refresh();
        System.out.println(page.get().items().size() + " items");
        client.close();
        client.awaitClosed(5000);
    }
}
