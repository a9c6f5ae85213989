package refreshd.client;

import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/** Runs tasks on the executor of the client, and calls the listeners of the app. */
final class Dispatcher {
    private final Executor executor;
    private final Scheduler scheduler;
    /** The thread of the executor, once it is known. */
    private volatile @Nullable Thread thread = null;
    private int depth = 0;
    private @Nullable RuntimeException listenerFailure = null;

    Dispatcher(Executor executor, Scheduler scheduler) {
        this.executor = executor;
        this.scheduler = scheduler;
    }

    /** Runs a task at once if this is the thread of the executor, and otherwise on it. */
    void run(Runnable task) {
        if (Thread.currentThread() == thread) {
            perform(task);
        } else {
            execute(task);
        }
    }

    /** Runs a task on the executor, after those that wait there. */
    void execute(Runnable task) {
        try {
            executor.execute(() -> {
                thread = Thread.currentThread();
                perform(task);
            });
        } catch (RejectedExecutionException shutDown) {
            // The app has ended the executor, so nothing is delivered any more.
        }
    }

    /** Runs a task on the executor after a delay in ms. */
    Scheduler.Timer schedule(Runnable task, long delayMs) {
        return scheduler.schedule(() -> execute(task), delayMs);
    }

    /** Calls a listener. If it throws, the exception is thrown once the client's state is whole. */
    void notify(Runnable call) {
        try {
            call.run();
        } catch (RuntimeException failure) {
            listenerFailure = listenerFailure == null ? failure : listenerFailure;
        }
    }

    private void perform(Runnable task) {
        depth++;
        try {
            task.run();
        } finally {
            depth--;
        }
        RuntimeException failure = listenerFailure;
        if (depth == 0 && failure != null) {
            listenerFailure = null;
            throw failure;
        }
    }
}
