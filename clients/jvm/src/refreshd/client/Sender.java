package refreshd.client;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** Sends messages on the present connection; those of a batch in one frame. */
final class Sender {
    private final FrameWriter writer;
    private final Supplier<Link> links;
    private final Runnable recordSent;
    private @Nullable List<JsonObject> batch = null;

    /**
     * Creates a sender.
     *
     * @param links returns the present connection, or null
     * @param recordSent is called for each frame or batch of frames
     */
    Sender(FrameWriter writer, Supplier<Link> links, Runnable recordSent) {
        this.writer = writer;
        this.links = links;
        this.recordSent = recordSent;
    }

    /** Sends all messages of a task in one frame. */
    void batch(Runnable sending) {
        if (batch != null) {
            sending.run();
            return;
        }
        List<JsonObject> messages = new ArrayList<>();
        batch = messages;
        try {
            sending.run();
        } finally {
            batch = null;
            transmit(messages);
        }
    }

    /** Sends the messages of the present batch, because its connection is about to end. */
    void flush() {
        List<JsonObject> messages = batch;
        if (messages != null && !messages.isEmpty()) {
            batch = null;
            transmit(new ArrayList<>(messages));
            messages.clear();
            batch = messages;
        }
    }

    /** Sends messages at once, or with the batch. Without a connection nothing happens. */
    void transmit(List<JsonObject> messages) {
        if (batch != null) {
            batch.addAll(messages);
        } else {
            Link link = links.get();
            if (link != null && !messages.isEmpty()) {
                recordSent.run();
                writer.frames(messages).forEach(link::send);
            }
        }
    }

    /** Sends a `ping` at once. */
    void ping(double now) {
        Link link = links.get();
        if (link != null) {
            recordSent.run();
            link.send(JsonObject.builder().put("type", "ping").put("t", now).build()
                    .toString());
        }
    }
}
