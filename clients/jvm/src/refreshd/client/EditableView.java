package refreshd.client;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.UUID;

/**
 * The edits of the user (protocol page, "Edits"), and the rows of a list with random access. Edits
 * need the features {@link Feature#PATCH}, {@link Feature#LIVE} and {@link Feature#EDITS}, and rows
 * need {@link Feature#VISIBLE_RANGE}.
 */
public abstract class EditableView extends BackendView {
    /** Edits are in use only if all of these features are. */
    static final List<Feature> NEEDED = Collections.unmodifiableList(
            Arrays.asList(Feature.PATCH, Feature.LIVE, Feature.EDITS));

    /** The faults after which the daemon does not know the edit, which is then sent again. */
    private static final List<FaultCode> NOT_ARRIVED = Collections.unmodifiableList(Arrays.asList(
            FaultCode.UNKNOWN_VIEW, FaultCode.STALE_GENERATION, FaultCode.STALE_SEQUENCE));

    private static final Range DELAY_MS = Range.between(0, 60_000);

    EditableView(RefreshClient client, ViewBody body, ViewListener listener) {
        super(client, body, listener);
    }

    /**
     * Returns the operations that the feed accepts; may be called on any thread.
     *
     * @return some of {@code insert}, {@code update}, {@code remove}, {@code move} and {@code
     *     refresh}; none before the view is attached
     */
    public List<String> acceptedEdits() {
        return state.edits.accepted();
    }

    /**
     * Returns the edits that have no answer yet, in the order in which they were made.
     *
     * @return what {@link #edit(JsonObject, int)} has returned
     */
    public List<String> pendingEdits() {
        return Collections.unmodifiableList(state.edits.pending());
    }

    /**
     * Returns the items as the daemon has sent them, without the edits that have no answer yet:
     * what an app keeps for {@link #restoreItems}.
     *
     * @return an unmodifiable list, each item a value of {@link Json}
     */
    public List<Object> receivedItems() {
        return state.received();
    }

    /**
     * Sets the items that the app has kept, before a process continues with {@link
     * RefreshClientBuilder#resume}. The next pages are added to them.
     *
     * @param items the items, each a value of {@link Json}
     */
    public void restoreItems(List<?> items) {
        List<Object> kept = new ArrayList<>();
        items.forEach(item -> kept.add(Json.checked(item)));
        client.run(() -> state.setItems(kept));
    }

    /**
     * Changes the list for the user, with a new UUID as the name of the edit.
     *
     * @param operation the operation, such as {@code {"remove":"m2"}}
     * @param delayMs how long {@link #undo} can stop the edit, 0 to 60000 ms
     * @return the name of the edit
     * @throws IllegalArgumentException if the feed does not accept the operation, or the daemon
     *     would refuse it: it has no key, for instance, or more than 16384 bytes
     * @throws IllegalStateException if the features of edits are not in use, or 1000 edits have no
     *     answer yet
     */
    public String edit(JsonObject operation, int delayMs) {
        return edit(operation, delayMs, UUID.randomUUID().toString());
    }

    /**
     * Changes the list for the user. {@link ViewDisplay#items} has the change at once if this is
     * called on the executor. {@link ViewListener#onEdited} tells what has become of it. Until
     * then, the client sends it again after each reconnection.
     *
     * @param operation the operation, such as {@code {"insert":{"id":"m9"},"at":"start"}}
     * @param delayMs how long {@link #undo} can stop the edit, 0 to 60000 ms
     * @param name the name of the edit: 8 to 64 letters, digits, - and _; no other edit of the user
     *     has it, at any time
     * @return the name
     * @throws IllegalArgumentException if the name or the delay is invalid, the feed does not
     *     accept the operation, or the daemon would refuse it: it has no key, for instance, or more
     *     than 16384 bytes
     * @throws IllegalStateException if the features of edits are not in use, or 1000 edits have no
     *     answer yet
     */
    public String edit(JsonObject operation, int delayMs, String name) {
        Objects.requireNonNull(operation, "operation");
        EditCheck.name(Objects.requireNonNull(name, "name"));
        DELAY_MS.check("delayMs", delayMs);
        NEEDED.forEach(client::require);
        NEEDED.forEach(client::requireServed);
        checked(message("edit").put("edit", name).put("operation", operation));
        state.edits.reserve(name, operation);
        client.run(() -> {
            if (client.accepts(view())) {
                state.edits.add(name, operation, delayMs);
                client.sendEdits(view());
            } else {
                state.edits.release(name);
            }
        });
        return name;
    }

    /**
     * Asks the daemon not to perform an edit whose delay has not passed. {@link
     * ViewListener#onEdited} tells whether it was undone. An edit that was never sent is dropped at
     * once. For an edit that has its answer, nothing happens.
     *
     * @param edit the name of the edit
     */
    public void undo(String edit) {
        Objects.requireNonNull(edit, "edit");
        client.run(() -> {
            if (!client.accepts(view())) {
                return;
            }
            if (state.edits.undo(edit)) {
                reportRollback(edit, "undone", "The edit was undone before it was sent.");
            } else {
                client.sendEdits(view());
            }
        });
    }

    /** Reports an edit that was dropped without an answer of the daemon. */
    private void reportRollback(String edit, String code, String reason) {
        Edited dropped = new Edited(message("edited").put("edit", edit)
                .put("result", EditResult.ROLLED_BACK.wireName()).put("code", code)
                .put("message", reason).put("temporary", false).build());
        tell(() -> listener.onEdited(view(), dropped));
    }

    /** Sends the edits that wait. If the daemon does not serve edits, they are rolled back. */
    private void sendEdits() {
        boolean isServed = NEEDED.stream().allMatch(client::mayBeInUse);
        if (!isServed && state.isAttached && !awaitsAttached()) {
            for (String edit : state.edits.pending()) {
                state.edits.remove(edit);
                reportRollback(edit, "editNotAccepted", "The daemon does not serve edits.");
            }
        }
        client.sendEdits(view());
    }

    /**
     * Returns the sections of {@link ViewDisplay#items} (protocol page, "Sections"). Each call
     * reads all items.
     *
     * @return an unmodifiable list in the order of the items; empty if the feed has no sections
     */
    public List<ItemSection> sections() {
        String pointer = state.sectionKey;
        return pointer == null ? Collections.emptyList() : ItemSection.of(state.items(), pointer);
    }

    /**
     * Returns whether the list has random access (protocol page, "What is in sight"), so that
     * {@link ViewDisplay#items} has all rows of the feed.
     *
     * @return whether it has random access
     */
    public boolean isRandom() {
        return state.rows.isRandom;
    }

    /**
     * States the rows in sight, for a list with random access. They are sent with the next {@code
     * scroll} if they have changed, with each one of the phase {@link ScrollPhase#IDLE}, with each
     * {@code geometry}, and when the view is attached again. So call this before {@code scroll} and
     * {@code geometry}, and before {@link RefreshClient#connect} if the list opens at another row
     * than the first.
     *
     * @param first the first row, counted from 0, the first item of the feed
     * @param last the last row
     * @throws IllegalArgumentException if a number is negative, or the last row is before the first
     * @throws IllegalStateException if the app has not named {@link Feature#VISIBLE_RANGE}
     */
    public void visibleRows(int first, int last) {
        Range.from(0).check("first", first);
        Range.from(first).check("last", last);
        client.require(Feature.VISIBLE_RANGE);
        client.run(() -> state.rows.setSight(first, last));
    }

    /** Reports the rows in sight again, because the view was attached. */
    private void sendRows() {
        if (state.rows.mustReport() && client.mayBeInUse(Feature.VISIBLE_RANGE)) {
            client.sendGeometry(view(), state.rows.addTo(message("geometry"), true).build());
        }
    }

    @Override
    void handleOther(JsonObject message) {
        Edited edited = new Edited(message);
        if ("edited".equals(message.string("type")) && state.edits.remove(edited.edit())) {
            tell(() -> listener.onEdited(view(), edited));
        }
    }

    @Override
    void handleFrameEnd(long ack) {
        super.handleFrameEnd(ack);
        sendRows();
        sendEdits();
    }

    /** Reports a fault. It drops the edit that has caused it, unless this may succeed later. */
    void handleFault(Fault fault) {
        String edit = state.edits.sentAs(fault.seq());
        if (edit != null && !fault.isTemporary() && !NOT_ARRIVED.contains(fault.code())) {
            state.edits.remove(edit);
            reportRollback(edit, fault.codeName(), fault.message());
        }
        tell(() -> listener.onFault(view(), fault));
    }

    void handleDiscarded() {
        tell(() -> listener.onItemsDiscarded(view()));
    }
}
