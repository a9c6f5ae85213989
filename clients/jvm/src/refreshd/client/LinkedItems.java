package refreshd.client;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A copy of a list to which operations are applied (protocol page, "Live items"). It is linked, so
 * that an operation takes the same time however long the list is.
 */
final class LinkedItems {
    static final String[] KINDS = {"insert", "update", "remove", "move"};
    static final String[] PLACES = {"at", "before", "after"};

    /** An item with its neighbours. */
    private static final class Node {
        @Nullable Object item;
        Node previous = this;
        Node next = this;

        Node(@Nullable Object item) {
            this.item = item;
        }

        /** Puts the node before another one. */
        void link(Node following) {
            previous = following.previous;
            next = following;
            previous.next = this;
            next.previous = this;
        }

        /** Takes the node out of its list. */
        void unlink() {
            previous.next = next;
            next.previous = previous;
        }
    }

    /** The path to the key of an item. */
    private final String[] names;
    /** The neighbours of this node are the last one and the first one. */
    private final Node ends = new Node(null);
    /** The items by their keys; {@code null} for a key that several items have. */
    private final Map<Object, Node> nodes = new HashMap<>();

    LinkedItems(List<Object> items, String[] names) {
        this.names = names;
        for (Object item : items) {
            Node node = new Node(item);
            node.link(ends);
            Object key = key(item);
            if (key != null) {
                nodes.put(key, nodes.containsKey(key) ? null : node);
            }
        }
    }

    /** Returns the items in order. */
    List<Object> listed() {
        List<Object> items = new ArrayList<>();
        for (Node node = ends.next; node != ends; node = node.next) {
            items.add(node.item);
        }
        return items;
    }

    /** Whether exactly one item has the key of this item. */
    boolean hasOne(@Nullable Object item) {
        Object key = key(item);
        return key != null && nodes.get(key) != null;
    }

    /**
     * Applies an operation.
     *
     * @return whether it fits
     */
    boolean apply(JsonObject operation) {
        String kind = onlyMember(operation, KINDS);
        Object value = kind == null ? null : operation.get(kind);
        boolean hasItem = "insert".equals(kind) || "update".equals(kind);
        Object key = hasItem ? key(value) : ListPatch.keyOf(value);
        if (kind == null || key == null) {
            return false;
        }
        Node node = nodes.get(key);
        if ("insert".equals(kind) ? nodes.containsKey(key) : node == null) {
            return false;
        }
        switch (kind) {
            case "update":
                node.item = value;
                return true;
            case "remove":
                nodes.remove(key);
                node.unlink();
                return true;
            default:
                return put(key, node == null ? new Node(value) : node, place(operation));
        }
    }

    /** Puts a node before another one. */
    private boolean put(Object key, Node node, @Nullable Node place) {
        if (place == null) {
            return false;
        }
        if (node != place) {
            node.unlink(); // a new node is its own neighbour
            node.link(place);
            nodes.put(key, node);
        }
        return true;
    }

    /** Returns the node before which an operation puts its item; null if there is none. */
    private @Nullable Node place(JsonObject operation) {
        String member = onlyMember(operation, PLACES);
        if (member == null) {
            return null;
        }
        Object value = operation.get(member);
        if ("at".equals(member)) {
            return "start".equals(value) ? ends.next : "end".equals(value) ? ends : null;
        }
        Object key = ListPatch.keyOf(value);
        Node neighbour = key == null ? null : nodes.get(key);
        return neighbour == null || "before".equals(member) ? neighbour : neighbour.next;
    }

    private @Nullable Object key(@Nullable Object item) {
        return ListPatch.keyOf(ListPatch.valueAt(item, names));
    }

    /** Returns the only one of these members that an operation has; null if there is not one. */
    static @Nullable String onlyMember(JsonObject operation, String[] names) {
        String found = null;
        for (String name : names) {
            if (operation.has(name)) {
                if (found != null) {
                    return null;
                }
                found = name;
            }
        }
        return found;
    }
}
