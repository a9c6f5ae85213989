package refreshd.client;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * The values of a view that changed with one message. The view has merged them already; this object
 * states the commands and the cues.
 */
public final class Update {
    private final JsonObject message;
    private final Map<Edge, Double> insets;
    private final @Nullable Timeline insetTimeline;
    private final @Nullable Double offset;
    private final @Nullable Timeline offsetTimeline;

    /**
     * Reads an `attached` or an `update`.
     *
     * @param isCurrent whether an `offset` in it still applies
     */
    Update(JsonObject message, boolean isCurrent, double now, Heartbeat clock) {
        this.message = message;
        JsonObject inset = message.object("inset");
        insets = new EnumMap<>(Edge.class);
        for (Edge edge : Edge.values()) {
            Double share = inset == null ? null : inset.number(edge.wireName());
            if (share != null) {
                insets.put(edge, share);
            }
        }
        insetTimeline = inset == null ? null : new Timeline(inset, start(inset, now, clock));
        JsonObject move = isCurrent ? message.object("offset") : null;
        offset = move == null ? null : move.number("to");
        offsetTimeline = offset == null ? null : new Timeline(move, start(move, now, clock));
    }

    private static double start(JsonObject command, double now, Heartbeat clock) {
        Double start = command.number("start");
        return start == null ? now : clock.localTime(start);
    }

    /**
     * Returns the daemon's new shares of the insets. Set each inset to the sum of the app's own
     * inset and this share.
     *
     * @return points by edge; edges that do not change are left out
     */
    public Map<Edge, Double> insets() {
        return Collections.unmodifiableMap(insets);
    }

    /**
     * Returns the course of the change of the insets.
     *
     * @return the course; {@code null} if no inset changes
     */
    public @Nullable Timeline insetTimeline() {
        return insetTimeline;
    }

    /**
     * Returns where the list must move. The client drops outdated commands, so each one that is
     * returned here applies. The app does not report the movement.
     *
     * @return the content offset at the end of the movement; {@code null}: the list does not move
     */
    public @Nullable Double offset() {
        return offset;
    }

    /**
     * Returns the course of the movement.
     *
     * @return the course; {@code null} if the list does not move
     */
    public @Nullable Timeline offsetTimeline() {
        return offsetTimeline;
    }

    /**
     * Returns whether the message changes an edge.
     *
     * @param edge the edge
     * @return whether it changes
     */
    public boolean changes(Edge edge) {
        return message.object(edge.wireName()) != null;
    }

    /**
     * Returns the haptic cues that the app gives now.
     *
     * @return the cues, in order; without those that this version does not know
     */
    public List<Haptic> haptics() {
        List<Haptic> cues = new ArrayList<>();
        for (Object name : array("haptic")) {
            Haptic cue = Haptic.of(String.valueOf(name));
            if (cue != Haptic.UNKNOWN) {
                cues.add(cue);
            }
        }
        return cues;
    }

    /**
     * Returns the keys of the texts that a screen reader speaks now.
     *
     * @return the keys, in order; without those that this version does not know
     */
    public List<Announcement> announcements() {
        List<Announcement> cues = new ArrayList<>();
        for (Object name : array("announce")) {
            Announcement cue = Announcement.of(String.valueOf(name));
            if (cue != Announcement.UNKNOWN) {
                cues.add(cue);
            }
        }
        return cues;
    }

    private List<Object> array(String name) {
        List<Object> array = message.array(name);
        return array == null ? Collections.emptyList() : array;
    }

    /**
     * Returns how a {@link RefreshView#reveal} has ended.
     *
     * @return the result; {@code null} if none has ended
     */
    public @Nullable RevealResult revealed() {
        return message.has("revealed") ? RevealResult.of(message.string("revealed")) : null;
    }

    /**
     * Returns the whole message (protocol page, "update").
     *
     * @return the message
     */
    public JsonObject json() {
        return message;
    }
}
