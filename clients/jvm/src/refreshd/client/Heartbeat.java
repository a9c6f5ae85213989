package refreshd.client;

import java.util.function.BiConsumer;

/**
 * The pings of a connection (protocol page, "ping, bye"). They keep the connection open, detect
 * that it is lost, and synchronise with the daemon's clock.
 */
final class Heartbeat {
    /** The number of pings after `welcome`, which synchronise the clock. */
    private static final int INITIAL_PINGS = 3;

    private static final double INITIAL_INTERVAL_MS = 1000;

    /** A connection counts as lost if a ping is unanswered for this long. */
    static final double PONG_TIMEOUT_MS = 5000;

    private final Scheduler scheduler;
    /** Runs a task after a delay in ms, on the executor of the client. */
    private final BiConsumer<Runnable, Long> timer;
    private final Runnable sendPing;
    private final Runnable onTimeout;
    private double clockOffset = 0;
    private double roundTrip = Double.NaN;
    private double lastSent = 0;
    private double pingSent = Double.NaN;
    private int pings = 0;
    private double interval = 0;
    private int run = 0; // the number of the connection; timers of an earlier one do nothing

    Heartbeat(
            Scheduler scheduler,
            BiConsumer<Runnable, Long> timer,
            Runnable sendPing,
            Runnable onTimeout) {
        this.scheduler = scheduler;
        this.timer = timer;
        this.sendPing = sendPing;
        this.onTimeout = onTimeout;
    }

    /** The best recent round trip in ms; NaN before the first. */
    double roundTrip() {
        return roundTrip;
    }

    /** Converts a time of the daemon's clock to the clock of the scheduler. */
    double localTime(double daemonTime) {
        return daemonTime - clockOffset;
    }

    /** Begins a connection: its `welcome` has arrived now. */
    void start(JsonObject welcome) {
        clockOffset = welcome.number("time", 0) - scheduler.now();
        interval = Math.max(1, welcome.number("heartbeat", 25_000));
        roundTrip = Double.NaN;
        pings = 0;
        run++;
        ping();
        check(run);
    }

    void stop() {
        run++;
        pingSent = Double.NaN;
    }

    /** Records that a message is sent, so that the next ping is due later. */
    void recordSent() {
        lastSent = scheduler.now();
    }

    /** Applies a `pong`. The shortest round trip counts, because its error is the smallest. */
    void handlePong(JsonObject pong) {
        double now = scheduler.now();
        double trip = now - pong.number("t", now);
        pingSent = Double.NaN;
        if (trip > roundTrip + 1) {
            roundTrip += 1; // old measurements count less, because clocks drift and routes change
            return;
        }
        roundTrip = Math.max(0, trip);
        clockOffset = pong.number("time", now + clockOffset) + roundTrip / 2 - now;
    }

    private void ping() {
        pings++;
        pingSent = scheduler.now();
        sendPing.run();
    }

    private void check(int checkedRun) {
        if (checkedRun != run) {
            return;
        }
        double now = scheduler.now();
        if (!Double.isNaN(pingSent) && now - pingSent >= PONG_TIMEOUT_MS) {
            onTimeout.run();
            return;
        }
        if (Double.isNaN(pingSent) && now - lastSent >= pause()) {
            ping();
        }
        double due = Double.isNaN(pingSent) ? lastSent + pause() : pingSent + PONG_TIMEOUT_MS;
        // A pong may arrive in the meantime, so that an initial ping is due earlier.
        double latest = pings < INITIAL_PINGS ? Math.min(due, now + INITIAL_INTERVAL_MS) : due;
        long delay = (long) Math.ceil(Math.max(1, latest - now));
        timer.accept(() -> check(checkedRun), delay);
    }

    private double pause() {
        return pings < INITIAL_PINGS ? Math.min(INITIAL_INTERVAL_MS, interval) : interval;
    }
}
