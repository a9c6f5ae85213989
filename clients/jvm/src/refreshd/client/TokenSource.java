package refreshd.client;

import java.util.function.Consumer;

/** Provides the token that authenticates the client, for each connection anew. */
@FunctionalInterface
public interface TokenSource {
    /**
     * Requests a token.
     *
     * @param reply receives the token, at once or later and on any thread; an empty string: the
     *     client connects without a token
     */
    void request(Consumer<String> reply);
}
