package refreshd.client;

import static refreshd.client.Tests.equal;
import static refreshd.client.Tests.fails;
import static refreshd.client.Tests.isTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Reading and writing JSON. */
final class JsonTests {
    private static final int ROUNDS = 20_000;

    private final Tests tests;

    JsonTests(Tests tests) {
        this.tests = tests;
    }

    void run() {
        tests.test("A text with every kind of value is written as it was read.", () -> {
            String text = "{\"a\":[1,-0.5,1e400,123456789012345678901],\"b\":{},\"c\":[],"
                    + "\"d\":[true,false,null],\"e\":\"\\u0001\\\"\\\\ü😀\"}";
            equal(Json.write(Json.parse(text)), text);
        });
        tests.test("Escapes of a string are read as their characters.", () ->
                equal(Json.parse("\"\\u00fc\\ud83d\\ude00\\/\\b\\f\\n\\r\\t\""),
                        "ü😀/\b\f\n\r\t"));
        tests.test("A text that is not JSON is refused.", () -> {
            for (String text : new String[] {"", "{", "[1,]", "{\"a\"}", "01", "1.", ".5", "+1",
                "nul", "\"\n\"", "\"\\x\"", "\"\\u12g4\"", "1 2", "{'a':1}", "[1 2]", "-", "1e",
                "{\"a\":1,}", "NaN", "\"\\u+123\"", "\u00001", "\uFEFF1"}) {
                fails(JsonException.class, () -> Json.parse(text));
            }
        });
        tests.test("Values nested deeper than the bound are refused, at any depth.", () -> {
            equal(Json.write(Json.parse(nested(Json.DEPTH_MAX))), nested(Json.DEPTH_MAX));
            fails(JsonException.class, () -> Json.parse(nested(Json.DEPTH_MAX + 1)));
            fails(JsonException.class, () -> Json.parse("[".repeat(5_000_000)));
            fails(JsonException.class, () -> Json.parse("{\"a\":".repeat(1_000_000)));
        });
        tests.test("A text longer than the bound is refused.", () ->
                fails(JsonException.class, () -> Json.parse(" ".repeat(Json.CHARACTERS_MAX + 1))));
        tests.test("A number beyond a double, or a value of another type, is no number.", () -> {
            JsonObject object = JsonObject.parse("{\"a\":1e999,\"b\":\"1\",\"c\":9e18,\"d\":1.5}");
            equal(object.number("a"), null);
            equal(object.number("b"), null);
            equal(object.integer("c", 0), 9_000_000_000_000_000_000L);
            equal(object.integer("d", 0), 1);
            equal(object.integer("e", 7), 7);
            equal(object.string("a"), null);
            equal(object.object("d"), null);
        });
        tests.test("A lone surrogate is written as an escape.", () ->
                equal(Json.write("a\ud83d\ude00\ud83d"), "\"a😀\\ud83d\""));
        tests.test("A value that JSON cannot express is refused where it is set.", () -> {
            Object[] values = {Double.NaN, Float.POSITIVE_INFINITY, new Object(), 'c'};
            for (Object value : values) {
                fails(IllegalArgumentException.class,
                        () -> JsonObject.builder().put("a", value));
            }
            fails(IllegalArgumentException.class, () -> new Size().width(Double.NaN));
        });
        tests.test("Each value that is written is read as the same value.", this::roundTrips);
        tests.test("A damaged text causes a JsonException and no other failure.", this::damage);
    }

    private static String nested(int depth) {
        return "[".repeat(depth) + "]".repeat(depth);
    }

    private void roundTrips() throws JsonException {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int round = 0; round < ROUNDS / 10; round++) {
            String text = Json.write(value(random, 5));
            isTrue(Json.write(Json.parse(text)).equals(text), "seed " + seed + ": " + text);
        }
    }

    private void damage() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        String characters = "{}[]\",:\\u0123456789eE+-. tfnrulasé\ud83d\u0000";
        for (int round = 0; round < ROUNDS; round++) {
            StringBuilder text = new StringBuilder(Json.write(value(random, 4)));
            for (int change = random.nextInt(4); change >= 0 && text.length() > 0; change--) {
                int place = random.nextInt(text.length());
                char character = characters.charAt(random.nextInt(characters.length()));
                switch (random.nextInt(3)) {
                    case 0:
                        text.setCharAt(place, character);
                        break;
                    case 1:
                        text.insert(place, character);
                        break;
                    default:
                        text.deleteCharAt(place);
                }
            }
            try {
                Json.write(Json.parse(text.toString()));
            } catch (JsonException expected) {
                isTrue(expected.index() >= 0 && expected.index() <= text.length(), expected);
            } catch (RuntimeException failure) {
                throw new AssertionError("seed " + seed + ": " + text, failure);
            }
        }
    }

    /** Returns a random value. */
    static Object value(Random random, int depth) {
        switch (random.nextInt(depth > 0 ? 8 : 6)) {
            case 0:
                return null;
            case 1:
                return random.nextBoolean();
            case 2:
                return random.nextInt(2000) - 1000;
            case 3:
                return random.nextDouble() * Math.pow(10, random.nextInt(40) - 20);
            case 4:
                return random.nextLong();
            case 5:
                StringBuilder text = new StringBuilder();
                for (int length = random.nextInt(8); length > 0; length--) {
                    text.append((char) (random.nextBoolean() ? random.nextInt(0x10000)
                            : random.nextInt(0x80)));
                }
                return text.toString();
            case 6:
                List<Object> elements = new ArrayList<>();
                for (int count = random.nextInt(4); count > 0; count--) {
                    elements.add(value(random, depth - 1));
                }
                return elements;
            default:
                JsonObject.Builder object = JsonObject.builder();
                for (int count = random.nextInt(4); count > 0; count--) {
                    object.put("m" + random.nextInt(5), value(random, depth - 1));
                }
                return object.build();
        }
    }
}
