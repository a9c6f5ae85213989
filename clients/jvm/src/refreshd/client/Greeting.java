package refreshd.client;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

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
    List<JsonObject> frame(String token) {
        List<JsonObject> messages = new ArrayList<>();
        messages.add(settings.hello(
                token, views.announceAll(), resume.canResume() ? resume.request() : null));
        queue.outbox().filter(kept -> views.names().contains(kept.string("view")));
        for (JsonObject kept : queue.outbox().messages()) {
            if (!features.permits(kept) || dependsOnList(kept)) {
                break; // this message and all after it wait for `welcome`
            }
            messages.add(kept);
        }
        List<JsonObject> frame = messages.subList(0, queue.writer().fitting(messages, 0));
        lastSeq = Outbox.seq(frame.get(frame.size() - 1));
        return frame;
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
