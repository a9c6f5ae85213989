package refreshd.client;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads one JSON text, within the bounds of {@link Json}. */
final class JsonReader {
    private final String text;
    private int index = 0;
    private int depth = 0;

    JsonReader(String text) {
        this.text = text;
    }

    /** Reads the whole text as one value. */
    @Nullable Object read() throws JsonException {
        if (text.length() > Json.CHARACTERS_MAX) {
            throw new JsonException("The text is too long", Json.CHARACTERS_MAX);
        }
        Object value = value();
        skipSpace();
        if (index < text.length()) {
            throw failure("There is text behind the value");
        }
        return value;
    }

    private JsonException failure(String message) {
        return new JsonException(message, index);
    }

    private void skipSpace() {
        while (index < text.length() && " \t\n\r".indexOf(text.charAt(index)) >= 0) {
            index++;
        }
    }

    /** Returns the next character that is not space, without consuming it; 0 at the end. */
    private char peek() {
        skipSpace();
        return current();
    }

    private char current() {
        return index < text.length() ? text.charAt(index) : 0;
    }

    private @Nullable Object value() throws JsonException {
        char first = peek();
        switch (first) {
            case '{':
                return object();
            case '[':
                return array();
            case '"':
                return string();
            case 't':
                return word("true", Boolean.TRUE);
            case 'f':
                return word("false", Boolean.FALSE);
            case 'n':
                return word("null", null);
            default:
                return number();
        }
    }

    private @Nullable Object word(String word, @Nullable Object value) throws JsonException {
        if (!text.startsWith(word, index)) {
            throw failure("There is no value");
        }
        index += word.length();
        return value;
    }

    private void enter() throws JsonException {
        depth++;
        if (depth > Json.DEPTH_MAX) {
            throw failure("Values are nested too deeply");
        }
        index++;
    }

    /** Consumes the end of an array or object and returns true, or consumes a comma. */
    private boolean isEnd(char end) throws JsonException {
        char next = peek();
        if (next != end && next != ',') {
            throw failure("There is no comma and no " + end);
        }
        index++;
        if (next == end) {
            depth--;
        }
        return next == end;
    }

    private JsonObject object() throws JsonException {
        enter();
        Map<String, Object> members = new LinkedHashMap<>();
        if (peek() == '}') {
            isEnd('}');
            return JsonObject.of(members);
        }
        do {
            if (peek() != '"') {
                throw failure("There is no name");
            }
            String name = string();
            if (peek() != ':') {
                throw failure("There is no colon");
            }
            index++;
            members.put(name, value());
        } while (!isEnd('}'));
        return JsonObject.of(members);
    }

    private List<Object> array() throws JsonException {
        enter();
        List<Object> elements = new ArrayList<>();
        if (peek() == ']') {
            isEnd(']');
            return Collections.unmodifiableList(elements);
        }
        do {
            elements.add(value());
        } while (!isEnd(']'));
        return Collections.unmodifiableList(elements);
    }

    private String string() throws JsonException {
        index++;
        int start = index;
        StringBuilder copy = null; // only a string with escapes is copied piece by piece
        while (index < text.length()) {
            char character = text.charAt(index);
            if (character == '"') {
                String rest = text.substring(start, index);
                index++;
                return copy == null ? rest : copy.append(rest).toString();
            }
            if (character < ' ') {
                throw failure("A string contains a control character");
            }
            index++;
            if (character == '\\') {
                copy = copy == null ? new StringBuilder() : copy;
                copy.append(text, start, index - 1).append(escaped());
                start = index;
            }
        }
        throw failure("A string has no end");
    }

    private char escaped() throws JsonException {
        char kind = current();
        int place = "\"\\/bfnrt".indexOf(kind);
        if (place >= 0 && kind != 0) {
            index++;
            return "\"\\/\b\f\n\r\t".charAt(place);
        }
        if (kind != 'u' || index + 5 > text.length()) {
            throw failure("An escape is unknown");
        }
        index++;
        int code = 0;
        for (int end = index + 4; index < end; index++) {
            char character = text.charAt(index);
            int digit = character > 'f' ? -1 : Character.digit(character, 16);
            if (digit < 0) {
                throw failure("An escape is unknown");
            }
            code = code * 16 + digit;
        }
        return (char) code;
    }

    private JsonNumber number() throws JsonException {
        int start = index;
        if (current() == '-') {
            index++;
        }
        boolean isZero = current() == '0';
        int whole = digits();
        if (whole == 0) {
            throw failure("There is no value");
        }
        if (isZero && whole > 1) {
            throw failure("A number begins with 0");
        }
        if (current() == '.') {
            index++;
            needDigits();
        }
        if (current() == 'e' || current() == 'E') {
            index++;
            if (current() == '+' || current() == '-') {
                index++;
            }
            needDigits();
        }
        return new JsonNumber(text.substring(start, index));
    }

    private void needDigits() throws JsonException {
        if (digits() == 0) {
            throw failure("A number has no digit");
        }
    }

    private int digits() {
        int start = index;
        while (current() >= '0' && current() <= '9') {
            index++;
        }
        return index - start;
    }
}
