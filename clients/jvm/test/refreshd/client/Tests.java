package refreshd.client;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Runs the tests of the client. Each test is a sentence that states what holds. */
public final class Tests {
    /** A test, which throws if its sentence is false. */
    interface Body {
        void run() throws Exception;
    }

    private static final long LIMIT_SECONDS = 60;

    private final List<String> failures = new ArrayList<>();
    private int passes = 0;

    private Tests() {}

    /**
     * Prints each failure and a summary. The status is 1 if a test has failed. With an argument,
     * the path of a daemon, only those tests run that need one.
     */
    public static void main(String[] arguments) {
        Tests tests = new Tests();
        if (arguments.length > 0) {
            new ServedTests(tests, arguments[0]).run();
            tests.end();
        }
        new JsonTests(tests).run();
        new ReconnectionTests(tests).run();
        new ResumptionTests(tests).run();
        new SavedStateTests(tests).run();
        new BoundsTests(tests).run();
        new QueryTests(tests).run();
        new RefusedViewTests(tests).run();
        new ReentryTests(tests).run();
        new RandomSessionTests(tests).run();
        new ViewTests(tests).run();
        new OperationTests(tests).run();
        new EditTests(tests).run();
        new RowTests(tests).run();
        new SectionTests(tests).run();
        new ThreadTests(tests).run();
        tests.end();
    }

    private void end() {
        System.out.println(passes + " passed, " + failures.size() + " failed");
        System.exit(failures.isEmpty() ? 0 : 1);
    }

    void test(String sentence, Body body) {
        try {
            body.run();
            passes++;
        } catch (Exception | AssertionError | StackOverflowError failure) {
            failures.add(sentence);
            System.out.println("FAILED " + sentence);
            failure.printStackTrace(System.out);
        }
    }

    static void equal(Object found, Object expected) {
        if (!String.valueOf(found).equals(String.valueOf(expected))) {
            throw new AssertionError("expected " + expected + ", found " + found);
        }
    }

    /** Waits for a latch, and fails after a time that no machine needs. */
    static void await(CountDownLatch latch) {
        try {
            isTrue(latch.await(LIMIT_SECONDS, TimeUnit.SECONDS), "the latch was not released");
        } catch (InterruptedException stopped) {
            throw new AssertionError(stopped);
        }
    }

    /** Waits for a result, and fails after a time that no machine needs. */
    static <T> T await(CompletableFuture<T> future) throws Exception {
        return future.get(LIMIT_SECONDS, TimeUnit.SECONDS);
    }

    /** Waits for the end of a thread, and fails after a time that no machine needs. */
    static void join(Thread thread) throws InterruptedException {
        thread.join(TimeUnit.SECONDS.toMillis(LIMIT_SECONDS));
        isTrue(!thread.isAlive(), thread);
    }

    static void isTrue(boolean condition, Object found) {
        if (!condition) {
            throw new AssertionError("found " + found);
        }
    }

    /** Requires that a body throws an exception of this kind. */
    static void fails(Class<? extends Throwable> kind, Body body) {
        try {
            body.run();
        } catch (Throwable thrown) {
            isTrue(kind.isInstance(thrown), thrown);
            return;
        }
        throw new AssertionError("expected " + kind);
    }
}
