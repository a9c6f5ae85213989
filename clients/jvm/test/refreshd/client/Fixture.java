package refreshd.client;

import java.net.URI;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** A client with one view, a fake daemon, and a clock that the test sets forward. */
class Fixture implements ViewListener, ClientListener {
    static final JsonObject REFRESH = JsonObject.builder().put("type", "refresh").build();

    final FakeDaemon daemon = new FakeDaemon();
    final ManualScheduler clock = new ManualScheduler();
    final List<String> events = new ArrayList<>();
    final RefreshClient client;
    final RefreshView list;

    Fixture() {
        this(new Random(1), Collections.emptyList());
    }

    Fixture(Random random, List<JsonObject> initialMessages) {
        client = RefreshClient.builder(URI.create("ws://127.0.0.1/v1/session"), daemon)
                .executor(Runnable::run).scheduler(clock).random(random).listener(this)
                .features(Feature.QUERY, Feature.UNREAD, Feature.PATCH, Feature.LIVE,
                        Feature.EDITS, Feature.VISIBLE_RANGE).build();
        list = client.attach(new ViewOptions("list", "default").feed("packages").geometry(
                new Geometry().viewport(new Size().width(390).height(800))),
                this, initialMessages);
    }

    /** Connects, and opens a fresh session. */
    Fixture open() {
        client.connect();
        daemon.line().listener.onOpen();
        daemon.line().welcome();
        return this;
    }

    /** Breaks the connection, and opens the next one up to `hello`. */
    FakeDaemon.Line reconnect() {
        daemon.line().listener.onClosed(1006, "");
        clock.advance(client.retryInMs());
        daemon.line().listener.onOpen();
        return daemon.line();
    }

    @Override
    public void onStatus(RefreshClient changed) {
        events.add(String.valueOf(changed.status()));
    }

    @Override
    public void onFault(RefreshClient faulty, Fault fault) {
        events.add("fault " + fault.codeName());
    }

    @Override
    public void onAttached(RefreshView view, Update command, boolean isResumed) {
        events.add(isResumed ? "reattached" : "attached");
    }

    @Override
    public void onItems(RefreshView view, Page page) {
        events.add("items");
    }

    @Override
    public void onEdited(RefreshView view, Edited edited) {
        events.add(edited.edit() + " " + edited.result() + " " + edited.code());
    }

    @Override
    public void onItemsDiscarded(RefreshView view) {
        events.add("discarded");
    }

    @Override
    public void onUpdate(RefreshView view, Update update) {
        if (update.offset() != null) {
            events.add("offset " + update.offset());
        }
    }

    @Override
    public void onDisconnected(RefreshView view) {
        events.add("disconnected");
    }

    @Override
    public void onEnded(RefreshView view) {
        events.add("ended");
    }
}
