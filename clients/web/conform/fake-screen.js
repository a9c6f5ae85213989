// A fake screen. It has the elements of a page that `ScrollView` uses, and simulates a user's
// input. The driver sets the sizes. A list scrolls as in a browser.

/** Installs `CustomEvent` if it is missing, as in Node 18. */
export function installCustomEvent() {
  globalThis.CustomEvent ??= class CustomEvent extends Event {
    constructor(type, { detail = null, ...options } = {}) {
      super(type, options);
      this.detail = detail;
    }
  };
}

/** Installs the browser globals that the modules need. Call it before the modules are loaded. */
export function installBrowserGlobals(WebSocket) {
  installCustomEvent();
  const window = new EventTarget();
  Object.assign(globalThis, {
    WebSocket,
    WheelEvent: { DOM_DELTA_LINE: 1, DOM_DELTA_PAGE: 2 },
    ResizeObserver: FakeResizeObserver,
    devicePixelRatio: 1,
    matchMedia: () => ({ matches: false }),
    requestAnimationFrame: (draw) => setTimeout(draw, 16),
    cancelAnimationFrame: (frame) => clearTimeout(frame),
    addEventListener: window.addEventListener.bind(window),
  });
}

class FakeResizeObserver {
  #changed;
  #elements = new Set();
  constructor(changed) { this.#changed = changed; }
  observe(element) {
    this.#elements.add(element);
    element.observers.add(this.#changed);
  }

  disconnect() {
    for (const element of this.#elements) element.observers.delete(this.#changed);
  }
}

/**
 * An element with a size and a style. It notifies its observers after its size has changed, as a
 * browser does.
 */
class FakeElement extends EventTarget {
  style = {};
  classList = { add() {}, remove() {} };
  observers = new Set();
  #size = { width: 0, height: 0 };

  getBoundingClientRect() { return { ...this.#size }; }

  get height() { return this.style.height === undefined ? this.#size.height : Number.parseFloat(this.style.height); }

  resize(size) {
    this.#size = { ...this.#size, ...size };
    for (const changed of this.observers) queueMicrotask(changed);
  }
}

/** The element that scrolls. As in a browser, an event follows each change of its position. */
class FakeScroller extends FakeElement {
  #children;
  #top = 0;
  clientWidth = 0;

  constructor(children) {
    super();
    this.#children = children;
  }

  get scrollHeight() { return this.#children.reduce((sum, child) => sum + child.height, 0); }
  get scrollTop() { return this.#top; }
  set scrollTop(position) {
    const scrollMax = Math.max(0, this.scrollHeight - this.height);
    const top = Math.min(Math.max(position, 0), scrollMax);
    if (top === this.#top) return;
    this.#top = top;
    setTimeout(() => this.dispatchEvent(new Event("scroll")), 0);
  }
}

/** The elements of one list, and a user's actions on them. */
export class FakeScreen {
  constructor({ viewport, content }) {
    const above = new FakeElement();
    const below = new FakeElement();
    const body = new FakeElement();
    body.resize(content);
    const scroller = new FakeScroller([above, body, below]);
    scroller.resize(viewport);
    this.elements = { scroller, stage: new FakeElement(), above, content: body, below };
  }

  resize({ viewport, content }) {
    if (viewport) this.elements.scroller.resize(viewport);
    if (content) this.elements.content.resize(content);
  }

  /** Moves the list as a wheel, a key or a program does. Then the list rests. */
  async scrollTo(offset, cause) {
    const { scroller, above } = this.elements;
    const to = offset + above.height;
    if (cause === "wheel") {
      scroller.dispatchEvent(Object.assign(new Event("wheel"), { deltaY: to - scroller.scrollTop, deltaMode: 0 }));
    } else if (cause === "key") {
      const key = to > scroller.scrollTop ? "PageDown" : "PageUp";
      scroller.dispatchEvent(Object.assign(new Event("keydown"), { key }));
    }
    scroller.scrollTop = to;
    await new Promise((done) => setTimeout(done, 5));
    scroller.dispatchEvent(new Event("scrollend"));
  }
}
