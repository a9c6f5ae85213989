package refreshd.client;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** A clock that a test sets forward, and its timers. */
final class ManualScheduler implements Scheduler {
    private double now = 1000;
    private final List<Entry> entries = new ArrayList<>();

    private static final class Entry {
        final double due;
        final Runnable task;

        Entry(double due, Runnable task) {
            this.due = due;
            this.task = task;
        }
    }

    @Override
    public double now() {
        return now;
    }

    @Override
    public Timer schedule(Runnable task, long delayMs) {
        Entry entry = new Entry(now + delayMs, task);
        entries.add(entry);
        return () -> entries.remove(entry);
    }

    /** Sets the clock forward, and runs what is due on the way. */
    void advance(double ms) {
        double end = now + ms;
        while (true) {
            Entry next = entries.stream().filter(entry -> entry.due <= end)
                    .min(Comparator.comparingDouble(entry -> entry.due)).orElse(null);
            if (next == null) {
                now = end;
                return;
            }
            entries.remove(next);
            now = Math.max(now, next.due);
            next.task.run();
        }
    }

    int timers() {
        return entries.size();
    }
}
