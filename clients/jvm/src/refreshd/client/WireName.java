package refreshd.client;

import java.util.ArrayList;
import java.util.List;

/** A constant that stands for a string of the protocol. */
public interface WireName {
    /**
     * Returns the string in messages.
     *
     * @return the string; empty for a value that this version does not know
     */
    String wireName();

    /** Returns the strings of several constants, as a JSON array. */
    static List<Object> list(WireName... constants) {
        List<Object> names = new ArrayList<>();
        for (WireName constant : constants) {
            names.add(constant.wireName());
        }
        return names;
    }
}
