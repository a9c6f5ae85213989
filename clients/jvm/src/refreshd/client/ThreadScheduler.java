package refreshd.client;

import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Timers of one daemon thread, and the clock of {@link System#nanoTime()}. The thread ends by
 * itself if no timer is set.
 */
final class ThreadScheduler implements Scheduler {
    private static final long IDLE_SECONDS = 5;

    private final ScheduledThreadPoolExecutor timers;

    ThreadScheduler() {
        timers = new ScheduledThreadPoolExecutor(1, task -> {
            Thread thread = new Thread(task, "refreshd-timers");
            thread.setDaemon(true);
            return thread;
        });
        timers.setRemoveOnCancelPolicy(true);
        timers.setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
        timers.allowCoreThreadTimeOut(true);
    }

    @Override
    public double now() {
        return System.nanoTime() / 1e6;
    }

    @Override
    public Timer schedule(Runnable task, long delayMs) {
        Future<?> future = timers.schedule(task, delayMs, TimeUnit.MILLISECONDS);
        return () -> future.cancel(false);
    }
}
