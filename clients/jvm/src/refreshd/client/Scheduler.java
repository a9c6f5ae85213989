package refreshd.client;

/** The clock and the timers of a client. */
public interface Scheduler {
    /**
     * Returns the present time.
     *
     * @return milliseconds of a clock that never goes back
     */
    double now();

    /**
     * Runs a task once. The client's task only passes the real work to the executor of the client.
     *
     * @param task the task, which may run on any thread
     * @param delayMs the delay in milliseconds, from 0
     * @return the timer
     */
    Timer schedule(Runnable task, long delayMs);

    /** A task that will run. */
    interface Timer {
        /** Cancels the task. If it has begun to run, nothing happens. */
        void cancel();
    }
}
