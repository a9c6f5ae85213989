package refreshd.client;

import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.TreeSet;

/**
 * The features of a session (protocol page, "Features"). A feature is in use if the client and the
 * daemon have named it.
 */
final class Features {
    private final @Nullable Collection<String> named;
    private volatile @Nullable List<Object> served = null;
    private volatile boolean isAnswered = false;

    /** Creates the features; {@code named} is null for a client that uses none. */
    Features(@Nullable Collection<String> named) {
        this.named = named == null
                ? null : Collections.unmodifiableCollection(new TreeSet<>(named));
    }

    /** Whether the client has named its features (perhaps none), and the daemon knows features. */
    boolean areKnown() {
        return named != null && served != null;
    }

    boolean isInUse(String name) {
        List<Object> known = served;
        return named != null && known != null && named.contains(name) && known.contains(name);
    }

    /** Whether a feature is in use, or may be as soon as the first `welcome` has arrived. */
    boolean mayBeInUse(Feature feature) {
        return isAnswered ? isInUse(feature.wireName())
                : named != null && named.contains(feature.wireName());
    }

    /** Throws IllegalStateException if the client has not named a feature; on any thread. */
    void require(Feature feature) {
        if (named == null || !named.contains(feature.wireName())) {
            throw new IllegalStateException("this call needs the feature " + feature.wireName()
                    + ": call features(Feature." + feature.name() + ") of the builder");
        }
    }

    /** Throws IllegalStateException if the daemon does not serve a feature; on any thread. */
    void requireServed(Feature feature) {
        if (isAnswered && !isInUse(feature.wireName())) {
            throw new IllegalStateException("the daemon does not serve " + feature.wireName());
        }
    }

    /** Throws IllegalStateException if an option of a view has no effect without features. */
    void check(JsonObject options) {
        String initial = options.string("initial");
        if (named == null && initial != null && !initial.equals(Initial.NONE.wireName())) {
            throw new IllegalStateException("initial(" + initial + ") loads nothing without "
                    + "features: call features() of the builder, or attach with a message refresh");
        }
    }

    /** Applies a `welcome`. Its features replace those of the previous `welcome`. */
    void applyWelcome(JsonObject welcome) {
        served = welcome.array("features");
        isAnswered = true;
    }

    /** Whether the daemon knows a message that was kept while there was no connection. */
    boolean permits(JsonObject message) {
        switch (String.valueOf(message.string("type"))) {
            case "disappear":
                return areKnown();
            case "reveal":
            case "read":
                return isInUse("unread");
            case "configure":
                return !message.has("parameters") || isInUse("query");
            default:
                return true;
        }
    }
}
