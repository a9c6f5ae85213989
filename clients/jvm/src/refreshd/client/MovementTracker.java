package refreshd.client;

/**
 * Recognizes outdated `offset` commands: those that the daemon has sent before it received the
 * first sample of the list's last movement, or the last `geometry` that reports an offset
 * (protocol page, "Commands and timelines").
 */
final class MovementTracker {
    private long firstSeq = 0;
    private boolean isMoving = false;
    private String cause = "";

    void recordSent(JsonObject message) {
        long seq = Outbox.seq(message);
        String type = String.valueOf(message.string("type"));
        if (type.equals("geometry") && message.has("offset") && !message.has("anchor")) {
            firstSeq = seq;
        } else if (type.equals("scroll") || type.equals("pan")) {
            recordSample(seq, message);
        }
    }

    private void recordSample(long seq, JsonObject sample) {
        String phase = String.valueOf(sample.string("phase"));
        String ownCause = sample.string("cause") == null ? "finger" : sample.string("cause");
        boolean isWheel = phase.equals("decelerating") && ownCause.equals("wheel");
        if (phase.equals("began") || isWheel || !isMoving || !ownCause.equals(cause)) {
            firstSeq = seq;
        }
        cause = ownCause;
        isMoving = !phase.equals("idle");
    }

    /** A fresh `attached` with this `ack` has arrived: only later messages count. */
    void attach(long ack) {
        firstSeq = firstSeq <= ack ? 0 : firstSeq;
    }

    void reset() {
        firstSeq = 0;
        isMoving = false;
    }

    boolean isCurrent(long ack) {
        return ack >= firstSeq;
    }
}
