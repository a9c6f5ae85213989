package refreshd.client;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/** The frame of `hello`, and the messages that wait for its answer. */
final class Greeting {
    /** Requests about a list that a fresh session does not have yet. */
    private static final Set<String> LIST_REQUESTS =
            new HashSet<>(Arrays.asList("loadMore", "retry", "cancel"));

    private final RefreshClientBuilder settings;
    private final ViewRegistry views;
    private final MessageQueue queue;
    private final ResumeState resume;
    private final Features features;
    private long lastSeq = 0;
    private @Nullable String token = null;
    /** The last `seq` of the frame that was refused on this connection; 0 if there is none. */
    private long suspectSeq = 0;
    /** Whether the changes that are not accepted were taken back on this connection. */
    private boolean isReverted = false;
    /** The messages that were dropped since they were last reported. */
    private final List<JsonObject> dropped = new ArrayList<>();
    private String dropReason = "";

    Greeting(RefreshClientBuilder settings, ViewRegistry views, MessageQueue queue,
            ResumeState resume, Features features) {
        this.settings = settings;
        this.views = views;
        this.queue = queue;
        this.resume = resume;
        this.features = features;
    }

    /** The last `seq` of the frame, or 0. */
    long lastSeq() {
        return lastSeq;
    }

    /** Opens or resumes a session. All messages needed for this are in one frame. */
    List<JsonObject> frame(String ownToken) {
        token = ownToken;
        suspectSeq = 0;
        isReverted = false;
        queue.outbox().acknowledge(resume.durableSeq());
        queue.outbox().filter(kept -> views.names().contains(kept.string("view")));
        dropTooLarge(); // also the changes of options that `hello` would contain
        List<JsonObject> messages = new ArrayList<>();
        messages.add(hello());
        List<JsonObject> outbox = queue.outbox().messages();
        for (JsonObject kept : outbox) {
            if (!features.permits(kept) || dependsOnList(kept)) {
                break; // this message and all after it wait for `welcome`
            }
            messages.add(kept);
        }
        int fitting = queue.writer().fitting(messages, 0);
        int end = 1 + endOfOptions(outbox, fitting - 1);
        List<JsonObject> frame = messages.subList(0, end);
        lastSeq = Outbox.seq(frame.get(frame.size() - 1));
        return frame;
    }

    /**
     * Returns how many of the first messages may follow `hello`. A change of a view's options waits
     * with its later changes: in a fresh session it would replace the newer options of the body.
     */
    private static int endOfOptions(List<JsonObject> outbox, int count) {
        Set<String> changedLater = new HashSet<>();
        for (JsonObject later : outbox.subList(count, outbox.size())) {
            if (isChange(later)) {
                changedLater.add(later.string("view"));
            }
        }
        for (int index = 0; index < count; index++) {
            JsonObject kept = outbox.get(index);
            if (isChange(kept) && changedLater.contains(kept.string("view"))) {
                return endOfOptions(outbox, index);
            }
        }
        return count;
    }

    private static boolean isChange(JsonObject message) {
        String type = String.valueOf(message.string("type"));
        return type.equals("enable") || type.equals("configure");
    }

    private JsonObject hello() {
        List<Object> bodies = views.announceAll(resume.durableSeq());
        resume.retainViews(views.helloNames());
        return settings.hello(String.valueOf(token), bodies,
                resume.canResume() ? resume.request() : null);
    }

    /**
     * Whether `hello` may succeed without what its refused frame has added: first without the
     * repeated messages, and then without the changes of options that are not accepted yet.
     */
    boolean canRetry(Fault fault) {
        return token != null && (isAloneNext(fault) || !isReverted && views.all().stream().anyMatch(
                view -> view.body().changes().hasChangesInBody()));
    }

    private boolean isAloneNext(Fault fault) {
        return lastSeq > 0 && fault.refusesFrame();
    }

    /** The frame of `hello` alone, after a frame that was refused. */
    List<JsonObject> retry(Fault fault) {
        dropReason = "the daemon has refused a frame with them: " + fault.summary();
        suspectSeq = isAloneNext(fault) ? lastSeq : 0;
        isReverted = suspectSeq == 0;
        if (isReverted) {
            for (RefreshView view : views.all()) {
                for (JsonObject change : view.refuseBody()) {
                    dropped.addAll(queue.remove(change));
                }
            }
        }
        lastSeq = 0;
        return Collections.singletonList(hello());
    }

    /**
     * Drops the messages because of which the first frame of this connection was refused: those
     * beyond the limits of `welcome`, or all of its frame if each one is within them.
     */
    void dropSuspects() {
        boolean isExplained = dropTooLarge();
        if (!isExplained && suspectSeq > 0) {
            drop(kept -> Outbox.seq(kept) <= suspectSeq);
        }
        suspectSeq = 0;
    }

    /** Drops the messages that exceed the present limits. Returns whether there are any. */
    private boolean dropTooLarge() {
        MessageBounds bounds = queue.writer().bounds();
        Predicate<JsonObject> isTooLarge = message -> {
            String violation = bounds.violation(message, MessageBounds.AROUND_MESSAGE);
            dropReason = violation == null ? dropReason : violation;
            return violation != null;
        };
        dropped.addAll(queue.removeHeld(isTooLarge));
        return drop(isTooLarge);
    }

    private boolean drop(Predicate<JsonObject> isDropped) {
        List<JsonObject> messages = queue.outbox().remove(isDropped);
        for (JsonObject message : messages) {
            RefreshView view = views.get(String.valueOf(message.string("view")));
            if (view != null) {
                view.refuse(Outbox.seq(message));
            }
        }
        return dropped.addAll(messages);
    }

    /** Calls the listener with the messages that were dropped. */
    void reportDropped(RefreshClient client, Dispatcher dispatcher) {
        if (!dropped.isEmpty()) {
            List<JsonObject> messages = Collections.unmodifiableList(new ArrayList<>(dropped));
            String reason = dropReason;
            dropped.clear();
            dispatcher.notify(() -> settings.listener.onDropped(client, messages, reason));
        }
    }

    /**
     * Whether a message is about the list of the session that may not resume. A fresh session
     * loads the list from its beginning instead.
     */
    private boolean dependsOnList(JsonObject message) {
        RefreshView view = views.get(String.valueOf(message.string("view")));
        return resume.canResume() && view != null && view.body().loadsInFreshSession()
                && LIST_REQUESTS.contains(String.valueOf(message.string("type")));
    }

    /** The messages that wait for `welcome`, because it states which session there is. */
    List<JsonObject> messagesAfterWelcome(boolean isResumed, long ack) {
        List<JsonObject> messages = new ArrayList<>();
        long handled = isResumed ? Math.max(lastSeq, ack) : lastSeq;
        for (JsonObject kept : queue.outbox().messages()) {
            if (Outbox.seq(kept) > handled) {
                messages.add(kept);
            }
        }
        messages.addAll(views.messagesAfterWelcome(!isResumed && features.areKnown()));
        return messages;
    }
}
