// Timers that stand still until a test moves them. Node has such ones as well, but as an experiment: 18 takes other arguments
// than 20, and forgets some of what it is to wait for.

const { setTimeout, clearTimeout, setInterval, clearInterval } = globalThis;

export class Timers {
  #now = 0;
  #last = 0;
  #waiting = new Map(); // by number, in the order in which they were made

  /** Takes the place of the real timers until the test `t` ends, or another takes its own. */
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

  /** So much time passes, and what is due meanwhile happens in its order. */
  tick(ms) {
    const end = this.#now + ms;
    for (;;) {
      const [next] = [...this.#waiting].filter(([, { due }]) => due <= end).sort(([, one], [, other]) => one.due - other.due);
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
