package refreshd.client;

/** placeholder */
final class ServedTests {
    ServedTests(Tests tests, String binary) {}

    void run() {}
}
