package refreshd.client;

import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;

/** The member of a view in `hello`: the options, sizes and offset as they are now. */
final class ViewBody {
    private static final int NAME_BYTES_MAX = 32;

    private final OptionChanges changes;
    private JsonObject geometry;
    private @Nullable Double offset;
    private final List<JsonObject> initialMessages;
    /** Whether sizes have changed that no message has reported. */
    private boolean isStale = false;
    private boolean isOffsetStale = false;

    ViewBody(ViewOptions view, List<JsonObject> initialMessages) {
        JsonObject json = view.json();
        int bytes = String.valueOf(json.string("view")).getBytes(StandardCharsets.UTF_8).length;
        if (bytes < 1 || bytes > NAME_BYTES_MAX) {
            throw new IllegalArgumentException("the name of a view has 1 to 32 bytes in UTF-8, "
                    + json.string("view") + " has " + bytes);
        }
        if (String.valueOf(json.string("view")).chars().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException("the name of a view has no control characters");
        }
        JsonObject sizes = json.object("geometry");
        geometry = sizes == null ? JsonObject.empty() : sizes;
        offset = json.number("offset");
        changes = new OptionChanges(
                json.toBuilder().remove("geometry").remove("offset").build());
        this.initialMessages = Collections.unmodifiableList(initialMessages);
    }

    String name() {
        return String.valueOf(options().string("view"));
    }

    /** Names what a fault of the view concerns, as an addition to its text. */
    String subject(FaultCode code) {
        String view = " The view is \"" + name() + "\"";
        switch (code) {
            case UNKNOWN_FEED:
            case FORBIDDEN_FEED:
                return view + ", its feed \"" + options().string("feed") + "\".";
            case UNKNOWN_PROFILE:
                return view + ", its profile \"" + options().string("profile") + "\".";
            case UNKNOWN_PARAMETER:
            case INVALID_PARAMETER:
                return view + ", its parameters are " + parameters() + ".";
            default:
                return view + ".";
        }
    }

    List<JsonObject> initialMessages() {
        return initialMessages;
    }

    /** Whether a fresh session loads the list without a further message. */
    boolean loadsInFreshSession() {
        return !initialMessages.isEmpty()
                || Initial.LOAD.wireName().equals(options().string("initial"));
    }

    double offset() {
        return offset == null ? 0 : offset;
    }

    void setOffset(double value) {
        offset = value;
        isOffsetStale = false; // the sample or the command that reports it is newer
    }

    boolean isReversed() {
        return options().flag("reversed", false);
    }

    /** What makes the list another one: its feed and its profile. */
    JsonObject source() {
        return JsonObject.builder().put("profile", options().string("profile"))
                .putIfPresent("feed", options().string("feed")).build();
    }

    JsonObject parameters() {
        JsonObject parameters = options().object("parameters");
        return parameters == null ? JsonObject.empty() : parameters;
    }

    /** The changes of the options by `configure` and `enable`, for later sessions too. */
    OptionChanges changes() {
        return changes;
    }

    private JsonObject options() {
        return changes.options();
    }

    /** Merges a change of the geometry by member, as the daemon does. */
    void merge(JsonObject change) {
        JsonObject.Builder merged = geometry.toBuilder();
        for (String name : change.names()) {
            if (name.equals("offset") || name.equals("anchor")) {
                continue;
            }
            JsonObject before = geometry.object(name);
            JsonObject after = change.object(name);
            merged.put(name, before == null || after == null
                    ? change.get(name) : before.toBuilder().putAll(after).build());
        }
        geometry = merged.build();
        Double moved = change.number("offset");
        if (moved != null) {
            offset = moved;
        }
    }

    /** Records that a geometry was not sent, because there is no connection. */
    void setStale(boolean hasOffset) {
        isStale = true;
        isOffsetStale |= hasOffset;
    }

    /** The member of `hello`. */
    JsonObject json() {
        // The kept samples are handled after `hello`, so an offset of a later layout follows them.
        isStale = isOffsetStale;
        JsonObject.Builder body = changes.optionsForBody().toBuilder();
        if (!geometry.names().isEmpty()) {
            body.put("geometry", geometry);
        }
        return body.putIfPresent("offset", offset).build();
    }

    /** The members of a `geometry` that reports what `hello` has not; null if there is nothing. */
    @Nullable JsonObject staleGeometry() {
        if (!isStale) {
            return null;
        }
        isStale = false;
        JsonObject.Builder late = geometry.toBuilder();
        if (isOffsetStale) {
            late.putIfPresent("offset", offset);
            isOffsetStale = false;
        }
        return late.build();
    }
}
