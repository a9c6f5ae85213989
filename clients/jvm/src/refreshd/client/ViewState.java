package refreshd.client;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What a view shows: all received messages, merged. */
final class ViewState {
    boolean isAttached = false;
    final Map<Edge, EdgeStatus> edges = new EnumMap<>(Edge.class);
    final Map<Edge, Double> insets = new EnumMap<>(Edge.class);
    final Set<String> loads = new LinkedHashSet<>();
    JsonObject floor = JsonObject.empty();
    boolean isNewer = false;
    @Nullable Long newerCount = null;
    boolean isAway = false;
    boolean hasMore = true;
    @Nullable String readMark = null;
    @Nullable Double lastUpdated = null;
    /** The items survive the session: they stay until new ones arrive. */
    private List<Object> items = Collections.emptyList();
    /**
     * Whether a query has removed the items from the list. They stay the base of patches until the
     * daemon has answered the query.
     */
    private boolean isHidden = false;
    /** The `seq` of the query that hides the items. */
    private long hidingSeq = Long.MAX_VALUE;
    /** Whether the present frame has answered the query. */
    private boolean isAnswered = false;
    /** The place of the key in an item, if the view receives patches. */
    private @Nullable String itemKey = null;
    /** The place of the value that names the section of an item, if the feed has sections. */
    volatile @Nullable String sectionKey = null;
    /** Whether a patch could not be applied, and no whole list has arrived since. */
    private boolean awaitsList = false;
    private @Nullable Edge refreshEdge = null;
    /** The edits without an answer. They survive the session too. */
    final PendingEdits edits;
    final Rows rows = new Rows();

    ViewState(boolean isReversed) {
        edits = new PendingEdits(isReversed);
    }

    /** Resets everything but the items, because the session has ended. */
    void reset() {
        isAttached = false;
        edges.clear();
        insets.clear();
        loads.clear();
        floor = JsonObject.empty();
        isNewer = false;
        newerCount = null;
        isAway = false;
        hasMore = true;
        readMark = null;
        lastUpdated = null;
    }

    List<Object> items() {
        return edits.applied(received());
    }

    /** The items as the daemon has sent them, without edits. */
    List<Object> received() {
        return isHidden ? Collections.emptyList() : items;
    }

    void setItems(List<Object> kept) {
        items = Collections.unmodifiableList(kept);
        show();
    }

    /** Hides the items until a query is answered. */
    void hideItems() {
        isHidden = true;
        isAnswered = false;
        hidingSeq = Long.MAX_VALUE;
    }

    void setHidingSeq(long seq) {
        if (isHidden) {
            hidingSeq = seq;
        }
    }

    long hidingSeq() {
        return hidingSeq;
    }

    /** Drops hidden items, because the session that would have answered has ended. */
    void forgetHidden() {
        if (isHidden) {
            setItems(Collections.emptyList());
        }
    }

    private void show() {
        isHidden = false;
        isAnswered = false;
    }

    /** The daemon has refused the message with this `seq`. */
    void refuse(long seq) {
        isAnswered |= isHidden && seq == hidingSeq;
    }

    /** No query that hides the items is sent. */
    void refuseHiding() {
        isAnswered = isHidden;
    }

    /**
     * Shows the items that are still valid after the answer to the query.
     *
     * @return whether there are any: the query was refused
     */
    boolean showAnswered() {
        if (!isAnswered) {
            return false;
        }
        show();
        return !items.isEmpty() || awaitsList;
    }

    /** The items as a page that replaces the list. */
    Page wholePage(String view) {
        return new Page(JsonObject.builder().put("type", "items").put("view", view)
                .put("load", "").put("mode", ItemsMode.REPLACE.wireName())
                .put("count", received().size()).put("items", received())
                .put("more", hasMore).build());
    }

    boolean awaitsList() {
        return awaitsList;
    }

    void applyAttached(JsonObject message, boolean isResumed) {
        if (!isResumed) {
            reset();
        }
        isAttached = true;
        itemKey = message.string("itemKey");
        sectionKey = message.string("sectionKey");
        edits.attach(itemKey, message.array("edits"));
        rows.attach(message.object("paging"));
        refreshEdge = null;
        awaitsList = isResumed && awaitsList;
        // The daemon sends the running loads again. Of a resumed session it sends the whole state,
        // without the values that are those of a new view.
        loads.clear();
        floor = JsonObject.empty();
        isNewer = false;
        newerCount = null;
        isAway = false;
        edges.clear();
        for (Edge edge : Edge.values()) {
            JsonObject first = message.object(edge.wireName());
            if (first != null) {
                edges.put(edge, EdgeStatus.first(first));
                if ("refresh".equals(first.string("role"))) {
                    refreshEdge = edge;
                }
            }
        }
    }

    void applyUpdate(JsonObject message) {
        for (Edge edge : Edge.values()) {
            JsonObject change = message.object(edge.wireName());
            EdgeStatus before = edges.get(edge);
            if (change != null && before != null) {
                edges.put(edge, before.merged(change));
            }
        }
        JsonObject newFloor = message.object("floor");
        floor = newFloor == null ? floor : newFloor;
        isNewer = message.flag("newer", isNewer);
        if (message.has("newerCount")) {
            newerCount = message.number("newerCount") == null
                    ? null : (Long) message.integer("newerCount", 0);
        }
        isAway = message.flag("away", isAway);
        readMark = message.string("read") == null ? readMark : message.string("read");
        JsonObject list = message.object("list");
        if (list != null) {
            hasMore = list.flag("more", hasMore);
            lastUpdated = message.has("lastUpdated") ? message.number("lastUpdated") : lastUpdated;
            long count = list.integer("count", 0);
            if (rows.isRandom && count > 0 && count != items.size()) { // not after a reset
                items = Collections.unmodifiableList(Rows.resized(items, count));
            }
        }
        if (isHidden) {
            isAnswered |= message.integer("ack", 0) >= hidingSeq;
            if (list != null && list.integer("count", -1) == 0) {
                items = Collections.emptyList(); // the daemon has applied a query
                awaitsList = false;
            }
        }
    }

    void applyInsets(Update update) {
        insets.putAll(update.insets());
    }

    /** What the items of a message have done to the list. */
    enum Applied {
        /** The list has the items. */
        YES,
        /** The list does not show the items, because another one is awaited. */
        NOT_SHOWN,
        /** A patch does not fit, so that the whole list must be requested. */
        UNFIT
    }

    Applied applyItems(Page page) {
        loads.remove(page.load());
        boolean isWhole = page.mode() == ItemsMode.REPLACE || page.mode() == ItemsMode.UNKNOWN;
        if (awaitsList && !isWhole) {
            return Applied.NOT_SHOWN;
        }
        awaitsList = false;
        if (isWhole && isAnswered) {
            show(); // this is the first page of the query
        }
        if (page.mode() == ItemsMode.PATCH) {
            List<Object> patched = ListPatch.apply(page.message(), items, itemKey);
            awaitsList = patched == null;
            if (patched == null) {
                return isHidden ? Applied.NOT_SHOWN : Applied.UNFIT;
            }
            items = Collections.unmodifiableList(patched);
            page.setItems(items);
            return isHidden ? Applied.NOT_SHOWN : Applied.YES;
        }
        if (isWhole && page.total() == null) {
            rows.isRandom = false; // until the app requests it again
        }
        int first = rows.firstRow(page.message(), page.mode());
        if (first >= 0) {
            page.setFirstRow(first);
            items = Collections.unmodifiableList(rows.placed(
                    isWhole ? Collections.emptyList() : items, page.message(), page.items(),
                    first));
            return isHidden ? Applied.NOT_SHOWN : Applied.YES;
        }
        List<Object> merged = new ArrayList<>();
        if (page.mode() == ItemsMode.APPEND) {
            merged.addAll(items);
        }
        merged.addAll(page.items());
        if (page.mode() == ItemsMode.PREPEND) {
            merged.addAll(items);
        }
        items = Collections.unmodifiableList(merged);
        return isHidden ? Applied.NOT_SHOWN : Applied.YES;
    }

    /** Whether the view has a refresh edge that is not disabled. */
    boolean canRefresh() {
        EdgeStatus edge = refreshEdge == null ? null : edges.get(refreshEdge);
        return edge != null && edge.state() != EdgeState.DISABLED;
    }

    void applyLoading(LoadEvent event) {
        if (event.load() != null && event.hasEndedWithoutItems()) {
            loads.remove(event.load());
        } else if (event.load() != null && event.phase() == LoadPhase.BEGAN) {
            loads.add(event.load());
        }
    }
}
