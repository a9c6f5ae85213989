// The server that a team would write without refreshd. The client sends each frame of a gesture.
// The server processes the pull and answers each frame with the state to display. Prints
// {"port":N}. Needs Debian's `nodejs` and `node-ws`.
'use strict';

const { WebSocketServer } = require('ws');

const LENGTH = 60;
const TEXTS = {
  idle: 'Pull to refresh',
  pulling: 'Pull to refresh',
  eligible: 'Release to refresh',
  refreshing: 'Loading',
};

class Pull {
  state = 'idle';
  offset = 0;

  scroll({ offset, phase }) {
    this.offset = offset;
    if (this.state === 'refreshing') return;
    const pulled = Math.max(-offset, 0);
    switch (phase) {
      case 'began':
      case 'dragging':
        this.state = pulled >= LENGTH ? 'eligible' : pulled > 0 ? 'pulling' : 'idle';
        break;
      case 'ended':
        this.state = this.state === 'eligible' ? 'refreshing' : 'idle';
        break;
    }
  }

  loaded() {
    this.state = 'idle';
    this.offset = 0;
  }

  // The answer has everything that a client needs to draw the frame, because the client computes
  // nothing.
  frame({ seq, t }) {
    const progress = Math.min(Math.max(-this.offset / LENGTH, 0), 1);
    const isRefreshing = this.state === 'refreshing';
    return {
      type: 'frame',
      seq,
      t,
      state: this.state,
      offset: this.offset,
      progress,
      alpha: isRefreshing ? 1 : progress,
      rotation: isRefreshing ? Math.PI : 0,
      inset: isRefreshing ? LENGTH : 0,
      text: TEXTS[this.state],
    };
  }
}

const server = new WebSocketServer({
  host: '127.0.0.1', port: 0, perMessageDeflate: false, backlog: 4096,
});

server.on('connection', (socket) => {
  const pull = new Pull();
  socket.on('error', () => socket.terminate());
  socket.on('message', (data) => {
    let message;
    try {
      message = JSON.parse(data);
    } catch {
      socket.send('{"type":"error","code":"malformedJSON"}');
      return;
    }
    if (message.type === 'scroll') pull.scroll(message);
    else if (message.type === 'done') pull.loaded();
    socket.send(JSON.stringify(pull.frame(message)));
  });
});
server.on('listening', () => console.log(JSON.stringify({ port: server.address().port })));
process.on('SIGTERM', () => process.exit(0));
