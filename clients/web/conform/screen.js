// A replacement for the screen of a browser: the part of the page that `ScrollView` uses, and a user's input. The
// driver sets the sizes. A list scrolls as in a browser.

/** The event with a detail, which Node 18 does not have. */
export function furnishEvents() {
  globalThis.CustomEvent ??= class CustomEvent extends Event {
    constructor(type, { detail = null, ...options } = {}) {
      super(type, options);
      this.detail = detail;
    }
  };
}

/** Provides what the modules expect of a browser's window; call it before they are loaded. */
export function furnish(WebSocket) {
  furnishEvents();
  const window = new EventTarget();
  Object.assign(globalThis, {
    WebSocket,
    WheelEvent: { DOM_DELTA_LINE: 1, DOM_DELTA_PAGE: 2 },
    ResizeObserver: SizeWatch,
    devicePixelRatio: 1,
    matchMedia: () => ({ matches: false }),
    requestAnimationFrame: (draw) => setTimeout(draw, 16),
    cancelAnimationFrame: (frame) => clearTimeout(frame),
    addEventListener: window.addEventListener.bind(window),
  });
}

class SizeWatch {
  #changed;
  #elements = new Set();
  constructor(changed) { this.#changed = changed; }
  observe(element) {
    this.#elements.add(element);
    element.watchers.add(this.#changed);
  }

  disconnect() {
    for (const element of this.#elements) element.watchers.delete(this.#changed);
  }
}

/** An element with a size and a style, which notifies its watchers when the size changes. */
class Box extends EventTarget {
  style = {};
  classList = { add() {}, remove() {} };
  watchers = new Set();
  #size = { width: 0, height: 0 };

  getBoundingClientRect() { return { ...this.#size }; }

  get height() { return this.style.height === undefined ? this.#size.height : Number.parseFloat(this.style.height); }

  resize(size) {
    this.#size = { ...this.#size, ...size };
    for (const changed of this.watchers) changed();
  }
}

/** The element that scrolls. Setting its position causes an event a moment later, as in a browser. */
class Scroller extends Box {
  #parts;
  #top = 0;
  clientWidth = 0;

  constructor(parts) {
    super();
    this.#parts = parts;
  }

  get scrollHeight() { return this.#parts.reduce((sum, part) => sum + part.height, 0); }
  get scrollTop() { return this.#top; }
  set scrollTop(place) {
    const most = Math.max(0, this.scrollHeight - this.height);
    const top = Math.min(Math.max(place, 0), most);
    if (top === this.#top) return;
    this.#top = top;
    setTimeout(() => this.dispatchEvent(new Event("scroll")), 0);
  }
}

/** The elements of one list, and a user's actions on them. */
export class Screen {
  constructor({ viewport, content }) {
    const above = new Box();
    const below = new Box();
    const body = new Box();
    body.resize(content);
    const scroller = new Scroller([above, body, below]);
    scroller.resize(viewport);
    this.parts = { scroller, stage: new Box(), above, content: body, below };
  }

  resize({ viewport, content }) {
    if (viewport) this.parts.scroller.resize(viewport);
    if (content) this.parts.content.resize(content);
  }

  /** Moves the list as a wheel, a key or a program does, after which it rests. */
  async scrollTo(offset, cause) {
    const { scroller, above } = this.parts;
    const to = offset + above.height;
    if (cause === "wheel") {
      scroller.dispatchEvent(Object.assign(new Event("wheel"), { deltaY: to - scroller.scrollTop, deltaMode: 0 }));
    } else if (cause === "key") {
      scroller.dispatchEvent(Object.assign(new Event("keydown"), { key: to > scroller.scrollTop ? "PageDown" : "PageUp" }));
    }
    scroller.scrollTop = to;
    await new Promise((done) => setTimeout(done, 5));
    scroller.dispatchEvent(new Event("scrollend"));
  }
}
