package refreshd.client;

import java.net.URI;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** A transport whose other end is the test. */
final class FakeDaemon implements Transport {
    /** One connection, as the daemon sees it. */
    static class Line implements Connection {
        final Listener listener;
        /** The frames that the client has sent, each as its messages. */
        final List<List<JsonObject>> frames = new ArrayList<>();
        boolean isAborted = false;
        int closeCode = 0;

        Line(Listener listener) {
            this.listener = listener;
        }

        @Override
        public void send(String text) {
            try {
                Object frame = Json.parse(text);
                List<JsonObject> messages = new ArrayList<>();
                List<?> all = frame instanceof List
                        ? (List<?>) frame : Collections.singletonList(frame);
                all.forEach(message -> messages.add((JsonObject) message));
                frames.add(messages);
            } catch (JsonException notJSON) {
                throw new AssertionError(text, notJSON);
            }
        }

        @Override
        public void close(int code) {
            closeCode = code;
        }

        @Override
        public void abort() {
            isAborted = true;
        }

        /** The messages of all frames but pings. */
        List<JsonObject> messages() {
            List<JsonObject> all = new ArrayList<>();
            for (List<JsonObject> frame : frames) {
                frame.stream().filter(one -> !"ping".equals(one.string("type"))).forEach(all::add);
            }
            return all;
        }

        /** The types of {@link #messages}. */
        List<String> types() {
            List<String> types = new ArrayList<>();
            messages().forEach(message -> types.add(message.string("type")));
            return types;
        }

        int pings() {
            return (int) frames.stream().flatMap(List::stream)
                    .filter(one -> "ping".equals(one.string("type"))).count();
        }

        JsonObject last() {
            return messages().get(messages().size() - 1);
        }

        JsonObject hello() {
            return frames.get(0).get(0);
        }

        /** Sends a frame, in which apostrophes stand for quotation marks. */
        void push(String text) {
            listener.onText(text.replace('\'', '"'));
        }

        /** Answers `hello` with a fresh session that has one view. */
        void welcome() {
            push("[{'type':'welcome','protocol':1,'session':'s','token':'t1','time':0,"
                    + "'heartbeat':25000,'limits':{},'features':['query','unread','patch','live',"
                    + "'edits']},"
                    + "{'type':'attached','view':'list','ack':0,'generation':1,"
                    + "'top':{'role':'refresh','state':'idle'},"
                    + "'bottom':{'role':'loadMore','state':'idle'},"
                    + "'inset':{'top':0,'bottom':0,'duration':0}}]");
        }

        /** Answers `hello` with the resumed session. */
        void resumed(long ack) {
            push("[{'type':'welcome','protocol':1,'session':'s','token':'t2','resumed':true,"
                    + "'ack':" + ack + ",'time':0,'heartbeat':25000,'limits':{},"
                    + "'features':['query','unread','patch','live',"
                    + "'edits']},"
                    + "{'type':'attached','view':'list','ack':" + ack + ",'generation':1,"
                    + "'top':{'role':'refresh','state':'idle'}},"
                    + "{'type':'update','view':'list','ack':" + ack + ",'inset':{'top':0}}]");
        }
    }

    final List<Line> lines = new ArrayList<>();

    @Override
    public Connection open(URI url, String subprotocol, Listener listener) {
        Tests.equal(subprotocol, "refresh.v1");
        Line line = new Line(listener);
        lines.add(line);
        return line;
    }

    Line line() {
        return lines.get(lines.size() - 1);
    }
}
