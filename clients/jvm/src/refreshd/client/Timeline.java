package refreshd.client;

import java.util.List;

/**
 * The course of a value over time (protocol page, "Commands and timelines"). A client that does not
 * animate ignores it and uses the final value at once.
 */
public final class Timeline {
    /** Steps of bisection until a cubic curve is exact to less than a millionth. */
    private static final int CURVE_STEPS = 20;

    private final double startMs;
    private final double durationMs;
    private final Curve curve;
    private final double[] times;
    private final double[] offsets;

    /** Reads a command; `startMs` is its start on the clock of the client. */
    Timeline(JsonObject command, double startMs) {
        this.startMs = startMs;
        this.durationMs = Math.max(0, command.number("duration", 0));
        this.curve = Curve.of(command.string("curve"));
        List<Object> path = command.array("path");
        int count = path == null ? 0 : path.size();
        double[] readTimes = new double[count];
        double[] readOffsets = new double[count];
        int read = 0;
        for (int index = 0; index < count; index++) {
            Object key = path.get(index);
            if (key instanceof List && ((List<?>) key).size() >= 2
                    && ((List<?>) key).get(0) instanceof Number
                    && ((List<?>) key).get(1) instanceof Number) {
                readTimes[read] = ((Number) ((List<?>) key).get(0)).doubleValue();
                readOffsets[read] = ((Number) ((List<?>) key).get(1)).doubleValue();
                read++;
            }
        }
        times = java.util.Arrays.copyOf(readTimes, read);
        offsets = java.util.Arrays.copyOf(readOffsets, read);
    }

    /**
     * Returns when the movement begins.
     *
     * @return milliseconds on the clock of the client ({@link RefreshClient#now()}); may be past
     */
    public double startMs() {
        return startMs;
    }

    /**
     * Returns how long the movement takes.
     *
     * @return milliseconds; 0: at once
     */
    public double durationMs() {
        return durationMs;
    }

    /**
     * Returns the curve of the movement.
     *
     * @return the curve; {@link Curve#UNKNOWN} if the movement has a path or takes no time
     */
    public Curve curve() {
        return curve;
    }

    /**
     * Returns the value at one moment.
     *
     * @param from the value at the beginning of the movement
     * @param to the value at its end
     * @param now the moment, in milliseconds on the clock of the client
     * @return the value; on a path the offset at this moment
     */
    public double valueAt(double from, double to, double now) {
        double elapsed = now - startMs;
        if (elapsed >= durationMs) {
            return to;
        }
        if (times.length > 0) {
            return onPath(Math.max(0, elapsed));
        }
        return elapsed <= 0 ? from : from + (to - from) * eased(elapsed / durationMs);
    }

    private double onPath(double elapsed) {
        for (int key = 1; key < times.length; key++) {
            if (elapsed < times[key]) {
                double span = times[key] - times[key - 1];
                double part = span > 0 ? (elapsed - times[key - 1]) / span : 1;
                return offsets[key - 1] + (offsets[key] - offsets[key - 1]) * part;
            }
        }
        return offsets[offsets.length - 1];
    }

    private double eased(double time) {
        switch (curve) {
            case EASE_IN:
                return cubic(time, 0.42, 1);
            case EASE_OUT:
                return cubic(time, 0, 0.58);
            case EASE_IN_OUT:
                return cubic(time, 0.42, 0.58);
            default:
                return time;
        }
    }

    /** The curve of CSS with the control points (x1, 0) and (x2, 1), by bisection. */
    private static double cubic(double time, double x1, double x2) {
        double low = 0;
        double high = 1;
        for (int step = 0; step < CURVE_STEPS; step++) {
            double middle = (low + high) / 2;
            if (bezier(middle, x1, x2) < time) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return bezier((low + high) / 2, 0, 1);
    }

    private static double bezier(double part, double first, double second) {
        double rest = 1 - part;
        return 3 * rest * rest * part * first + 3 * rest * part * part * second
                + part * part * part;
    }
}
