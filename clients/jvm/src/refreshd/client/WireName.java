package refreshd.client;

/** A constant that stands for a string of the protocol. */
public interface WireName {
    /**
     * Returns the string in messages.
     *
     * @return the string; empty for a value that this version does not know
     */
    String wireName();
}
