package refreshd.conform;

import java.net.URI;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ScheduledExecutorService;
import refreshd.client.ClientListener;
import refreshd.client.Edge;
import refreshd.client.Fault;
import refreshd.client.Geometry;
import refreshd.client.IntentCause;
import refreshd.client.JsonException;
import refreshd.client.JsonObject;
import refreshd.client.LoadResult;
import refreshd.client.RefreshClient;
import refreshd.client.RefreshClientBuilder;
import refreshd.client.RefreshView;
import refreshd.client.ScrollPhase;
import refreshd.client.Transport;
import refreshd.client.WireName;
import refreshd.client.http.HttpTransport;

/** A client with its lists, and the orders that concern it. */
final class DrivenClient implements ClientListener {
    private final RefreshClient client;
    private final Map<String, SimulatedUser> users = new LinkedHashMap<>();
    private final List<Object> errors = new ArrayList<>();
    private Transport.Connection connection = null;

    DrivenClient(JsonObject order, ScheduledExecutorService executor) throws JsonException {
        Transport transport = new HttpTransport();
        Transport observed = (url, subprotocol, listener) -> {
            connection = transport.open(url, subprotocol, listener);
            return connection;
        };
        RefreshClientBuilder builder = RefreshClient
                .builder(URI.create(order.string("url")), observed)
                .name("jvm/conform").executor(executor).listener(this);
        if (order.array("features") != null) {
            builder.featureNames(strings(order.array("features")));
        }
        client = builder.build();
        for (Object body : order.array("views")) {
            JsonObject view = (JsonObject) body;
            List<JsonObject> first = new ArrayList<>();
            if (order.array("first") != null) {
                for (Object message : order.array("first")) {
                    if (view.string("view").equals(((JsonObject) message).string("view"))) {
                        first.add((JsonObject) message);
                    }
                }
            }
            users.put(view.string("view"), new SimulatedUser(
                    client, view, first, order.number("itemLength", 0), executor));
        }
        client.connect();
    }

    private static Collection<String> strings(List<Object> values) {
        List<String> strings = new ArrayList<>();
        values.forEach(value -> strings.add((String) value));
        return strings;
    }

    @Override
    public void onFault(RefreshClient faulty, Fault fault) {
        errors.add(fault.codeName());
    }

    /** Returns the user of the view that an order names. */
    SimulatedUser user(JsonObject order) {
        String name = order.string("view") == null ? "list" : order.string("view");
        return users.get(name);
    }

    /** Destroys the client: its connection ends without a message. */
    void destroy() {
        connection.abort();
        users.values().forEach(SimulatedUser::stop);
        client.close();
    }

    void perform(String action, JsonObject order) {
        SimulatedUser user = user(order);
        switch (action) {
            case "release":
                user.release(ScrollPhase.ENDED);
                break;
            case "takeAway":
                user.release(ScrollPhase.CANCELLED);
                break;
            case "scrollTo":
                user.scrollTo(order.number("offset", 0), cause(order, IntentCause.CODE));
                break;
            case "resize":
                Geometry change = new Geometry();
                JsonObject.Builder sizes = JsonObject.builder();
                for (String name : new String[] {"content", "viewport"}) {
                    sizes.putIfPresent(name, order.object(name));
                }
                change.setAll(sizes.build());
                user.resize(change);
                break;
            case "ask":
                ask(user.view(), order);
                break;
            case "query":
                query(user.view(), order);
                break;
            case "edit":
                user.view().edit(order.object("operation"), (int) order.integer("delayMs", 0));
                break;
            case "undo":
                List<String> pending = user.view().pendingEdits();
                user.view().undo(pending.get(pending.size() - 1));
                break;
            case "disappear":
                user.view().disappear();
                break;
            case "appear":
                user.view().appear();
                break;
            case "detach":
                user.stop();
                users.remove(user.view().name());
                user.view().detach();
                break;
            case "finish":
                user.view().finishLoad(order.string("load"),
                        constant(LoadResult.values(), order.string("result"), LoadResult.SUCCESS),
                        (int) order.integer("count", 0), order.flag("more"),
                        order.string("cursor"));
                break;
            case "drop":
                connection.abort();
                break;
            case "bye":
                client.close();
                break;
            default:
                throw new UnsupportedOperationException("unknown order: " + action);
        }
    }

    private static void ask(RefreshView view, JsonObject order) {
        Edge edge = constant(Edge.values(), order.string("edge"), null);
        switch (order.string("for")) {
            case "refresh":
                view.refresh(cause(order, IntentCause.CODE), true);
                break;
            case "loadMore":
                view.loadMore(cause(order, IntentCause.CODE));
                break;
            case "retry":
                view.retry(edge);
                break;
            case "cancel":
                view.cancel(edge);
                break;
            case "reset":
                view.reset(edge);
                break;
            case "floor":
                view.setFloor(order.flag("open", false));
                break;
            default:
                throw new UnsupportedOperationException("unknown request: " + order);
        }
    }

    private static void query(RefreshView view, JsonObject order) {
        Map<String, String> parameters = new LinkedHashMap<>();
        JsonObject given = order.object("parameters");
        given.names().forEach(name -> parameters.put(name, given.string(name)));
        Integer debounce = order.has("debounceMs") ? (Integer) (int) order.integer("debounceMs", 0)
                : null;
        view.query(parameters, debounce, "clear".equals(order.string("shown")));
    }

    private static IntentCause cause(JsonObject order, IntentCause otherwise) {
        return constant(IntentCause.values(), order.string("cause"), otherwise);
    }

    private static <T extends WireName> T constant(T[] constants, String name, T otherwise) {
        for (T constant : constants) {
            if (constant.wireName().equals(name)) {
                return constant;
            }
        }
        return otherwise;
    }

    /** Returns what the client shows. */
    JsonObject shown() {
        JsonObject.Builder views = JsonObject.builder();
        users.forEach((name, user) -> views.put(name, user.shown()));
        return JsonObject.builder().put("status", status()).put("errors", new ArrayList<>(errors))
                .put("views", views.build()).build();
    }

    private String status() {
        switch (client.status()) {
            case OPEN:
                return "open";
            case REFUSED:
                return "refused";
            case CLOSED:
                return "closed";
            default:
                return client.welcome() == null ? "connecting" : "lost";
        }
    }
}
