package refreshd.client;

/** A timer that runs at most one task at a time, on the executor. */
final class OneTimer {
    private final Dispatcher dispatcher;
    private @Nullable Scheduler.Timer timer = null;
    private int number = 0;

    OneTimer(Dispatcher dispatcher) {
        this.dispatcher = dispatcher;
    }

    /** Runs a task after a delay in ms, instead of the task before it. */
    void set(Runnable task, long delayMs) {
        cancel();
        int own = number;
        timer = dispatcher.schedule(() -> {
            if (own == number) { // a task that waits on the executor may be outdated
                task.run();
            }
        }, delayMs);
    }

    void cancel() {
        number++;
        if (timer != null) {
            timer.cancel();
            timer = null;
        }
    }
}
