package refreshd.client;

import java.util.Random;

/**
 * Computes the delays between attempts to reconnect (protocol page, "Close codes" and "Draining").
 * Times are arguments, in milliseconds.
 */
final class Backoff {
    /** The maximum delay before the first attempt. The minimum is a tenth of this delay. */
    private static final double FIRST_DELAY_MAX_MS = 1000;

    /** The upper limit of the delay. The delay doubles with each attempt. */
    private static final double DELAY_MAX_MS = 30_000;

    /** A session that stays open this long resets the number of attempts. */
    private static final double HEALTHY_MS = 5000;

    private final Random random;
    private int attempt = 0;
    private double openedAt = Double.POSITIVE_INFINITY;

    Backoff(Random random) {
        this.random = random;
    }

    /** Whether a client may reconnect with the same messages after a close with this code. */
    static boolean mayReconnect(int code) {
        return code != 1007 && code != 1009 && !(code >= 4000 && code < 4100);
    }

    /** Whether an upgrade with this HTTP status would be refused again. */
    static boolean isFinal(int status) {
        return status == 400 || status == 403 || status == 404;
    }

    /** The number of attempts since the last healthy session. */
    int attempt() {
        return attempt;
    }

    /** Records that the session is open. */
    void recordOpen(double now) {
        openedAt = now;
    }

    /** Resets the number of attempts, because the network or the app has come back. */
    void reset() {
        attempt = 0;
    }

    /**
     * Returns the delay before the next attempt after a close with this code.
     *
     * @param waitMs the time for which the server asks; the random delay follows it, because other
     *     clients wait for the same moment
     */
    long delayAfterClose(int code, double now, long waitMs) {
        if (now - openedAt >= HEALTHY_MS) {
            attempt = 0;
        }
        openedAt = Double.POSITIVE_INFINITY;
        double delayMax = Math.min(FIRST_DELAY_MAX_MS * Math.pow(2, attempt), DELAY_MAX_MS);
        attempt++;
        boolean isImmediate = code >= 4200 && code < 4300 && attempt == 1;
        return isImmediate ? 0 : waitMs + Math.round(delayMax * (0.1 + 0.9 * random.nextDouble()));
    }
}
