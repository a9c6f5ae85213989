// Fake timers that a test advances. Node's own mock timers are experimental. Their arguments differ
// between versions 18 and 20, and version 18 loses timers.

const { setTimeout, clearTimeout, setInterval, clearInterval } = globalThis;

export class Timers {
  #now = 0;
  #last = 0;
  #waiting = new Map(); // by id, in the order of their creation

  /** Replaces the real timers until the test `t` ends. */
  constructor(t) {
    const clear = (id) => { this.#waiting.delete(id); };
    Object.assign(globalThis, {
      setTimeout: (done, ms = 0) => this.#add({ done, due: this.#now + ms }),
      setInterval: (done, ms) => this.#add({ done, due: this.#now + ms, every: Math.max(1, ms) }),
      clearTimeout: clear,
      clearInterval: clear,
    });
    t.after(() => Object.assign(globalThis, { setTimeout, clearTimeout, setInterval, clearInterval }));
  }

  /** Advances the time, and runs the timers that become due, in the order of their times. */
  tick(ms) {
    const end = this.#now + ms;
    for (;;) {
      const due = [...this.#waiting].filter(([, timer]) => timer.due <= end);
      const [next] = due.sort(([, one], [, other]) => one.due - other.due);
      if (!next) break;
      const [id, timer] = next;
      this.#now = timer.due;
      if (timer.every) timer.due += timer.every;
      else this.#waiting.delete(id);
      timer.done();
    }
    this.#now = end;
  }

  #add(timer) {
    this.#last += 1;
    this.#waiting.set(this.#last, timer);
    return this.#last;
  }
}
