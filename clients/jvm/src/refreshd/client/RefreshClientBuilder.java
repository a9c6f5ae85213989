package refreshd.client;

import java.net.URI;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeSet;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;

/** The settings of a {@link RefreshClient}. */
public final class RefreshClientBuilder {
    final URI url;
    final Transport transport;
    Executor executor;
    Scheduler scheduler;
    Random random = new Random();
    String name = "jvm/" + ProtocolVersion.CLIENT;
    TokenSource tokens = reply -> reply.accept("");
    @Nullable Collection<String> features = null;
    @Nullable JsonObject headers = null;
    boolean diagnostics = false;
    @Nullable String savedState = null;
    ClientListener listener = new ClientListener() {};

    RefreshClientBuilder(URI url, Transport transport) {
        String scheme = String.valueOf(url.getScheme()).toLowerCase(Locale.ROOT);
        if (!(scheme.equals("ws") || scheme.equals("wss")) || url.getHost() == null) {
            String authority = String.valueOf(url.getAuthority());
            throw new IllegalArgumentException(url + " is not the URL of a session, such as "
                    + "ws://127.0.0.1:8080" + Refusal.PATH + (authority.contains("_")
                    ? "; the name of a host has letters, digits, - and ., but no _" : ""));
        }
        this.url = url;
        this.transport = Objects.requireNonNull(transport, "transport");
    }

    /**
     * Sets where everything happens. The default is a daemon thread of this client.
     *
     * @param executor an executor of one thread; on Android that of the main thread. If it rejects
     *     a task, the client is {@link Status#CLOSED}: its connection ends, and nothing is
     *     delivered any more
     * @return this builder
     */
    public RefreshClientBuilder executor(Executor executor) {
        this.executor = Objects.requireNonNull(executor, "executor");
        return this;
    }

    /**
     * Sets the clock and the timers. The default uses a daemon thread of this client.
     *
     * @param scheduler the clock and the timers
     * @return this builder
     */
    public RefreshClientBuilder scheduler(Scheduler scheduler) {
        this.scheduler = Objects.requireNonNull(scheduler, "scheduler");
        return this;
    }

    /**
     * Sets the source of the random part of delays.
     *
     * @param random the source
     * @return this builder
     */
    public RefreshClientBuilder random(Random random) {
        this.random = Objects.requireNonNull(random, "random");
        return this;
    }

    /**
     * Sets the name of the app, for the logs of the daemon.
     *
     * @param name such as {@code mail/2.1}
     * @return this builder
     */
    public RefreshClientBuilder name(String name) {
        this.name = Objects.requireNonNull(name, "name");
        return this;
    }

    /**
     * Sets the source of the tokens that authenticate the client.
     *
     * @param tokens the source
     * @return this builder
     */
    public RefreshClientBuilder tokens(TokenSource tokens) {
        this.tokens = Objects.requireNonNull(tokens, "tokens");
        return this;
    }

    /**
     * Names the features of the protocol that the app uses, perhaps none. Without this call the
     * client is one without features (protocol page, "Features").
     *
     * @param features the features
     * @return this builder
     */
    public RefreshClientBuilder features(Feature... features) {
        List<String> names = new ArrayList<>();
        for (Feature feature : features) {
            names.add(feature.wireName());
        }
        return featureNames(names);
    }

    /**
     * Names the features of the protocol that the app uses, also those of a later version.
     *
     * @param names the names of the features
     * @return this builder
     */
    public RefreshClientBuilder featureNames(Collection<String> names) {
        features = new ArrayList<>(names);
        return this;
    }

    /**
     * Sets headers for the backends.
     *
     * @param headers names and values, such as {@code accept-language}
     * @return this builder
     */
    public RefreshClientBuilder headers(Map<String, String> headers) {
        this.headers = Options.strings(headers);
        return this;
    }

    /**
     * Asks the daemon to report what it ignores; use this while you write an app.
     *
     * @param diagnostics whether it reports
     * @return this builder
     */
    public RefreshClientBuilder diagnostics(boolean diagnostics) {
        this.diagnostics = diagnostics;
        return this;
    }

    /**
     * Sets the listener of the client.
     *
     * @param listener receives the events
     * @return this builder
     */
    public RefreshClientBuilder listener(ClientListener listener) {
        this.listener = Objects.requireNonNull(listener, "listener");
        return this;
    }

    /**
     * Resumes the session of an earlier process. Attach the same views, with the same names and
     * options, before {@link RefreshClient#connect}; the app keeps their items itself, and sets
     * them by {@link RefreshView#restoreItems}. If the session cannot be resumed, a fresh one
     * begins, with the initial messages of the views and {@link Welcome#reason}.
     *
     * @param state what {@link RefreshClient#saveState} has returned; {@code null}, a damaged state
     *     and that of another version of the client have no effect
     * @return this builder
     */
    public RefreshClientBuilder resume(@Nullable String state) {
        savedState = state;
        return this;
    }

    /** Returns the message that opens or resumes a session with these views. */
    JsonObject hello(String token, List<Object> views, @Nullable JsonObject resume) {
        return JsonObject.builder().put("type", "hello")
                .put("protocol", ProtocolVersion.PROTOCOL)
                .put("client", name)
                .putIfPresent("token", token.isEmpty() ? null : token)
                .putIfPresent("headers", headers)
                .putIfPresent("features",
                        features == null ? null : new ArrayList<>(new TreeSet<>(features)))
                .put("snapshots", true)
                .putIfPresent("diagnostics", diagnostics ? Boolean.TRUE : null)
                .put("views", views)
                .putIfPresent("resume", resume)
                .build();
    }

    /**
     * Creates the client. It does nothing before {@link RefreshClient#connect}.
     *
     * @return the client
     */
    public RefreshClient build() {
        if (executor == null) {
            executor = Executors.newSingleThreadExecutor(task -> {
                Thread made = new Thread(task, "refreshd-client");
                made.setDaemon(true);
                return made;
            });
        }
        if (scheduler == null) {
            scheduler = new ThreadScheduler();
        }
        return new RefreshClient(this);
    }
}
