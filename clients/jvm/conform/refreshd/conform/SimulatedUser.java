package refreshd.conform;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledExecutorService;
import refreshd.client.Anchor;
import refreshd.client.Edge;
import refreshd.client.EdgeStatus;
import refreshd.client.FloorState;
import refreshd.client.Geometry;
import refreshd.client.Haptic;
import refreshd.client.IntentCause;
import refreshd.client.ItemSection;
import refreshd.client.JsonObject;
import refreshd.client.PanPhase;
import refreshd.client.Page;
import refreshd.client.RefreshClient;
import refreshd.client.RefreshView;
import refreshd.client.ScrollPhase;
import refreshd.client.Size;
import refreshd.client.Update;
import refreshd.client.ViewListener;
import refreshd.client.ViewOptions;

/** One list with its simulated platform and user. Everything runs on the thread of the client. */
final class SimulatedUser implements ViewListener {
    private static final double STEP_MS = 16;
    /** The interval at which a resting finger repeats its sample. */
    private static final double STILL_MS = 1500;
    /** The number of steps in which a list springs back. */
    private static final int SPRING_STEPS = 16;

    private final RefreshClient client;
    private final RefreshView view;
    private final ScheduledExecutorService executor;
    private final double itemLength;
    private final List<Object> haptics = new ArrayList<>();
    private JsonObject sizes;
    private List<String> laidOut = new ArrayList<>();
    private Runnable stopTimer = () -> {}; // of the finger, or of the spring
    private boolean isFingerDown = false;
    private boolean isPan = false;
    private double translation = 0;
    /** The velocity of the list in points per second, against the finger. */
    private double velocity = 0;

    SimulatedUser(
            RefreshClient client,
            JsonObject body,
            List<JsonObject> first,
            double itemLength,
            ScheduledExecutorService executor) {
        this.client = client;
        this.executor = executor;
        this.itemLength = itemLength;
        sizes = body.object("geometry");
        ViewOptions options = new ViewOptions(body.string("view"), body.string("profile"));
        options.setAll(body);
        if (!body.has("offset")) {
            options.offset(0);
        }
        view = client.attach(options, this, first);
    }

    RefreshView view() {
        return view;
    }

    void stop() {
        stopTimer.run();
        stopTimer = () -> {};
        isFingerDown = false;
    }

    private void later(Runnable task, double ms) {
        stopTimer = Driver.cancellable(executor, task, ms);
    }

    // The finger

    void drag(JsonObject order, CompletableFuture<Void> done) {
        stopTimer.run();
        if (!isFingerDown) {
            isFingerDown = true;
            isPan = "pan".equals(order.string("way"));
            translation = 0;
            if (isPan) {
                view.pan(0, PanPhase.BEGAN, null);
            } else {
                scroll(view.offset(), ScrollPhase.BEGAN);
            }
        }
        double ms = order.number("ms", 100);
        velocity = -order.number("by", 0) / ms * 1000;
        int steps = (int) Math.max(1, Math.round(ms / STEP_MS));
        double start = isPan ? translation : view.offset();
        move(order.number("by", 0), start, 1, steps, ms / steps, done);
    }

    private void move(
            double by, double start, int step, int steps, double ms, CompletableFuture<Void> done) {
        later(() -> {
            double travel = by * step / steps;
            if (isPan) {
                translation = start + travel;
                view.pan(translation, PanPhase.DRAGGING, null);
            } else {
                scroll(start - travel, ScrollPhase.DRAGGING);
            }
            if (step < steps) {
                move(by, start, step + 1, steps, ms, done);
            } else {
                later(this::hold, STILL_MS);
                done.complete(null);
            }
        }, ms);
    }

    private void hold() {
        velocity = 0;
        if (isPan) {
            view.pan(translation, PanPhase.DRAGGING, null);
        } else {
            scroll(view.offset(), ScrollPhase.DRAGGING);
        }
        later(this::hold, STILL_MS);
    }

    void release(ScrollPhase phase) {
        stop();
        if (isPan) {
            view.pan(translation,
                    phase == ScrollPhase.ENDED ? PanPhase.ENDED : PanPhase.CANCELLED, velocity);
            return; // the daemon moves the list now
        }
        scroll(view.offset(), phase, IntentCause.FINGER,
                phase == ScrollPhase.ENDED ? velocity : null);
        later(() -> spring(SPRING_STEPS), STEP_MS);
    }

    // The platform

    /** Moves a released list back to its resting offset, and reports each step. */
    private void spring(int step) {
        double goal = rest(); // a room can have opened in the meantime
        double offset = view.offset();
        if (offset == goal) {
            scroll(offset, ScrollPhase.IDLE);
            return;
        }
        scroll(step == 1 ? goal : offset + (goal - offset) / step, ScrollPhase.DECELERATING);
        later(() -> spring(Math.max(1, step - 1)), STEP_MS);
    }

    private double rest() {
        double length = number("content") - number("viewport");
        double end = Math.max(0, length) + view.inset(Edge.BOTTOM);
        return Math.min(Math.max(view.offset(), -view.inset(Edge.TOP)), end);
    }

    private double number(String size) {
        JsonObject member = sizes.object(size);
        return member == null ? 0 : member.number("height", 0);
    }

    private void scroll(double offset, ScrollPhase phase) {
        scroll(offset, phase, IntentCause.FINGER, null);
    }

    private void scroll(double offset, ScrollPhase phase, IntentCause cause, Double speed) {
        tellRows(offset);
        view.scroll(offset, phase, cause, speed);
    }

    /** With random access, tells the client which rows are in sight at an offset. */
    private void tellRows(double offset) {
        int count = view.items().size();
        int first = (int) Math.max(0, Math.floor(offset / itemLength));
        int end = (int) Math.min(count, Math.ceil((offset + number("viewport")) / itemLength));
        if (itemLength > 0 && view.isRandom() && first < end) {
            view.visibleRows(first, end - 1);
        }
    }

    void scrollTo(double offset, IntentCause cause) {
        stop();
        scroll(offset, ScrollPhase.DECELERATING, cause, null);
        scroll(offset, ScrollPhase.IDLE, cause, null);
    }

    void resize(Geometry change) {
        sizes = sizes.toBuilder().putAll(change.json()).build();
        tellRows(view.offset());
        view.geometry(change);
    }

    // The layout of the items

    @Override
    public void onUpdate(RefreshView updated, Update update) {
        for (Haptic haptic : update.haptics()) {
            haptics.add(haptic.wireName());
        }
    }

    @Override
    public void onAttached(RefreshView attached, Update command, boolean isResumed) {
        if (!isResumed) {
            stopTimer.run();
        }
    }

    /** Lays the items out and reports the content, so that the item in sight keeps its place. */
    @Override
    public void onItems(RefreshView changed, Page page) {
        if (itemLength == 0) {
            return;
        }
        List<String> before = laidOut;
        int index = inSight(before);
        laidOut = ids();
        double width = sizes.object("content").number("width", 0);
        Geometry after = new Geometry().content(
                new Size().width(width).height(laidOut.size() * itemLength));
        String kept = view.offset() > 0 && index >= 0 ? keptItem(before, index) : null;
        client.batch(() -> {
            if (kept != null) {
                view.geometry(new Geometry().anchor(
                        new Anchor(kept, before.indexOf(kept) * itemLength)));
                after.anchor(new Anchor(kept, laidOut.indexOf(kept) * itemLength));
            }
            resize(after);
        });
    }

    /** Returns the item nearest to the index that both lists contain. */
    private String keptItem(List<String> before, int index) {
        for (int distance = 0; distance < before.size(); distance++) {
            for (int place : new int[] {index - distance, index + distance}) {
                if (place >= 0 && place < before.size() && before.get(place) != null
                        && laidOut.contains(before.get(place))) {
                    return before.get(place);
                }
            }
        }
        return null;
    }

    private int inSight(List<String> rows) {
        for (int index = 0; index < rows.size(); index++) {
            if ((index + 1) * itemLength > view.offset()) {
                return index;
            }
        }
        return -1;
    }

    /** Returns the items; null for a row whose item has not arrived. */
    private List<String> ids() {
        List<String> ids = new ArrayList<>();
        for (Object item : view.items()) {
            ids.add(item == null ? null : ((JsonObject) item).string("id"));
        }
        return ids;
    }

    // What is shown

    JsonObject shown() {
        JsonObject.Builder edges = JsonObject.builder();
        JsonObject.Builder insets = JsonObject.builder().put("top", 0).put("bottom", 0);
        for (Edge edge : Edge.values()) {
            EdgeStatus status = view.edge(edge);
            if (status != null) {
                JsonObject.Builder shown = JsonObject.builder();
                for (String name : new String[] {"state", "progress", "indicator"}) {
                    shown.putIfPresent(name, status.json().get(name));
                }
                edges.put(edge.wireName(), shown.build());
                insets.put(edge.wireName(), view.inset(edge));
            }
        }
        FloorState floor = view.floor();
        JsonObject.Builder shown = JsonObject.builder()
                .put("attached", view.isAttached()).put("offset", view.offset())
                .put("insets", insets.build()).put("edges", edges.build())
                .put("items", new ArrayList<Object>(ids()))
                .put("sections", sections())
                .put("loads", new ArrayList<Object>(view.loads()))
                .put("newer", view.isNewer())
                .put("floor", JsonObject.builder().put("state", floor.wireName())
                        .putIfPresent("progress", view.floorProgress()).build())
                .put("cues", new ArrayList<>(haptics));
        int index = itemLength > 0 ? inSight(laidOut) : -1;
        if (index >= 0 && laidOut.get(index) != null) {
            shown.put("itemInSight", JsonObject.builder().put("id", laidOut.get(index))
                    .put("position", index * itemLength - view.offset()).build());
        }
        return shown.build();
    }

    private List<JsonObject> sections() {
        List<JsonObject> sections = new ArrayList<>();
        for (ItemSection section : view.sections()) {
            sections.add(JsonObject.builder().put("value", section.value())
                    .put("start", section.start()).put("count", section.count()).build());
        }
        return sections;
    }
}
