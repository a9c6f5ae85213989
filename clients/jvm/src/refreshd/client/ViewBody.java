package refreshd.client;

import java.util.Collections;
import java.util.List;

/** The member of a view in `hello`: the options, sizes and offset as they are now. */
final class ViewBody {
    private JsonObject options;
    private JsonObject geometry;
    private @Nullable Double offset;
    private final List<JsonObject> initialMessages;
    /** Whether sizes have changed that no message has reported. */
    private boolean isStale = false;
    private boolean isOffsetStale = false;

    ViewBody(ViewOptions view, List<JsonObject> initialMessages) {
        JsonObject json = view.json();
        JsonObject sizes = json.object("geometry");
        geometry = sizes == null ? JsonObject.empty() : sizes;
        offset = json.number("offset");
        options = json.toBuilder().remove("geometry").remove("offset").build();
        this.initialMessages = Collections.unmodifiableList(initialMessages);
    }

    String name() {
        return String.valueOf(options.string("view"));
    }

    List<JsonObject> initialMessages() {
        return initialMessages;
    }

    double offset() {
        return offset == null ? 0 : offset;
    }

    void setOffset(double value) {
        offset = value;
        isOffsetStale = false; // the sample or the command that reports it is newer
    }

    @Nullable JsonObject parameters() {
        return options.object("parameters");
    }

    void setParameters(@Nullable JsonObject parameters) {
        options = options.toBuilder().remove("parameters").putIfPresent("parameters", parameters)
                .build();
    }

    /** Changes the options of an edge, `paging` or `pan` for later sessions. */
    void configure(String member, @Nullable JsonObject change) {
        JsonObject before = options.object(member);
        JsonObject merged = change == null || before == null
                ? change : before.toBuilder().putAll(change).build();
        options = options.toBuilder().put(member, merged).build();
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
        JsonObject.Builder body = options.toBuilder();
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
