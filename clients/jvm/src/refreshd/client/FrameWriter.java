package refreshd.client;

import java.util.ArrayList;
import java.util.List;

/** Packs messages into frames within the limits of the daemon. */
final class FrameWriter {
    private volatile Limits limits = new Limits(JsonObject.empty());

    /** The bounds of a message, for calls on any thread. */
    MessageBounds bounds() {
        return new MessageBounds(limits);
    }

    void applyLimits(Limits stated) {
        limits = stated;
    }

    /**
     * Returns how many of the messages, from the given one on, fit into one frame: at least one.
     */
    int fitting(List<JsonObject> messages, int start) {
        long bytes = 2; // the brackets
        int count = 0;
        for (JsonObject message : messages.subList(start, messages.size())) {
            bytes += bytes(message.toString()) + 1;
            if (count > 0 && (count >= limits.batchMessagesMax()
                    || bytes > limits.frameBytesMax())) {
                break;
            }
            count++;
        }
        return count;
    }

    /** Returns the texts of the frames that contain all messages in order. */
    List<String> frames(List<JsonObject> messages) {
        List<String> frames = new ArrayList<>();
        int start = 0;
        while (start < messages.size()) {
            int count = fitting(messages, start);
            List<JsonObject> frame = messages.subList(start, start + count);
            frames.add(count == 1 ? frame.get(0).toString() : Json.write(frame));
            start += count;
        }
        return frames;
    }

    /** The length of a text in UTF-8. */
    static long bytes(String text) {
        long bytes = 0;
        for (int index = 0; index < text.length(); index++) {
            char character = text.charAt(index);
            // Each half of a surrogate pair counts for two of its four bytes.
            bytes += character < 0x80 ? 1 : character < 0x800 ? 2
                    : Character.isSurrogate(character) ? 2 : 3;
        }
        return bytes;
    }
}
