package refreshd.client;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;

/** Runs tasks on the executor of the client, and calls the listeners of the app. */
final class Dispatcher {
    private final Executor executor;
    private final Scheduler scheduler;
    /** The thread of the executor, once it is known. */
    private volatile @Nullable Thread thread = null;
    private int depth = 0;
    private volatile Runnable onRejection = () -> {};
    private volatile boolean hasEnded = false;
    private final AtomicBoolean isEnding = new AtomicBoolean();
    private @Nullable Throwable listenerFailure = null;
    /** The calls of listeners for the present frame. */
    private final Queue<Runnable> held = new ArrayDeque<>();
    private boolean isHeld = false;
    private boolean isDelivering = false;

    Dispatcher(Executor executor, Scheduler scheduler) {
        this.executor = executor;
        this.scheduler = scheduler;
    }

    /** Sets what happens, on any thread, when the executor rejects a task. */
    void setOnRejection(Runnable task) {
        onRejection = task;
    }

    /** Whether the executor has rejected a task, so that nothing is delivered any more. */
    boolean hasEnded() {
        return hasEnded;
    }

    /** Whether this is the thread of the executor, as far as it is known. */
    boolean isCurrent() {
        return Thread.currentThread() == thread;
    }

    /** Runs a task at once if this is the thread of the executor, and otherwise on it. */
    void run(Runnable task) {
        if (isCurrent()) {
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
            hasEnded = true; // without this task, the client does not know what has happened
            if (isEnding.compareAndSet(false, true)) { // the end of the connection is rejected too
                onRejection.run();
                isEnding.set(false);
            }
        }
    }

    /** Runs a task on the executor after a delay in ms. */
    Scheduler.Timer schedule(Runnable task, long delayMs) {
        return scheduler.schedule(() -> execute(task), delayMs);
    }

    /**
     * Applies a whole frame before the first of its listeners is called. What a listener causes is
     * reported after what the frame has caused.
     */
    void runFrame(Runnable frame) {
        isHeld = true;
        try {
            frame.run();
        } finally {
            isHeld = false;
        }
        if (isDelivering) {
            return; // a listener has caused this frame
        }
        isDelivering = true;
        try {
            for (Runnable call = held.poll(); call != null; call = held.poll()) {
                invoke(call);
            }
        } finally {
            isDelivering = false;
        }
    }

    /** Drops the calls of the present frame that were not made yet, because the client ends. */
    void dropHeld() {
        held.clear();
    }

    /**
     * Calls a listener. What it throws, also an error or a checked exception of Kotlin, is thrown
     * once the client's state is whole.
     */
    void notify(Runnable call) {
        if (isHeld || isDelivering) {
            held.add(call);
        } else {
            invoke(call);
        }
    }

    private void invoke(Runnable call) {
        try {
            call.run();
        } catch (Throwable failure) {
            Throwable first = listenerFailure;
            if (first == null) {
                listenerFailure = failure;
            } else if (first != failure) {
                first.addSuppressed(failure);
            }
        }
    }

    private void perform(Runnable task) {
        if (hasEnded) {
            return;
        }
        depth++;
        try {
            task.run();
        } finally {
            depth--;
        }
        Throwable failure = listenerFailure;
        if (depth == 0 && failure != null) {
            listenerFailure = null;
            Dispatcher.<RuntimeException>rethrow(failure);
        }
    }

    /** Throws any exception as it is; the compiler takes it for an unchecked one. */
    @SuppressWarnings("unchecked")
    private static <T extends Throwable> void rethrow(Throwable failure) throws T {
        throw (T) failure;
    }
}
