// Input on a scroller: touch, mouse, wheel and keys. It decides which gestures remain with the browser.

/** A wheel that was silent for this long counts as released, because it has no button. */
const WHEEL_SILENCE_MS = 120;
/** The ratio of finger travel to wheel travel. One notch is 100 to 120 pixels, far more than a finger's first move. */
const WHEEL_GEAR = 0.5;
/** The distance a mouse must travel before a press becomes a drag. */
const MOUSE_SLOP = 4;
const FORWARD_KEYS = new Set(["ArrowDown", "PageDown", "End", " "]);
const BACKWARD_KEYS = new Set(["ArrowUp", "PageUp", "Home"]);

/**
 * The user's input on the element `scroller`, until `signal` aborts. It is reported to `list`. A gesture that leads out
 * of the content is a pan (`beginPan`, `movePan`, `endPan`). Everything else remains with the browser, and only its
 * cause is reported (`blame`).
 */
export class Hands {
  #scroller;
  #list;
  #touch = null; // a finger on the list: {x, y, kind: undecided | scroll | pan | other}
  #mouse = null; // a pressed button: {y, id}
  #lastWheel = -Infinity;
  #wheelTimer = 0;

  constructor(scroller, list, signal) {
    this.#scroller = scroller;
    this.#list = list;
    const passive = { passive: true, signal };
    const active = { passive: false, signal };
    scroller.addEventListener("wheel", (event) => this.#wheeled(event), active);
    scroller.addEventListener("keydown", (event) => this.#pressed(event), passive);
    scroller.addEventListener("touchstart", (event) => this.#touched(event), passive);
    scroller.addEventListener("touchmove", (event) => this.#touchMoved(event), active);
    scroller.addEventListener("touchend", (event) => this.#touchEnded(event, "ended"), passive);
    scroller.addEventListener("touchcancel", (event) => this.#touchEnded(event, "cancelled"), passive);
    scroller.addEventListener("pointerdown", (event) => this.#mousePressed(event), passive);
    scroller.addEventListener("pointermove", (event) => this.#mouseMoved(event), passive);
    scroller.addEventListener("pointerup", (event) => this.#mouseReleased(event, "ended"), passive);
    scroller.addEventListener("pointercancel", (event) => this.#mouseReleased(event, "cancelled"), passive);
    addEventListener("blur", () => list.endPan("cancelled", performance.now()), passive);
  }

  /** Whether a finger scrolls the list inside its content. */
  get isScrolling() { return this.#touch?.kind === "scroll"; }

  /** Ends the pan, whatever the input does. */
  forgetPan() {
    this.#mouse = null;
    clearTimeout(this.#wheelTimer);
  }

  // Touch

  #touched(event) {
    if (event.touches.length > 1) {
      if (this.#touch) this.#touchEnded(event, "cancelled");
      this.#touch = { kind: "other" };
      return;
    }
    const { clientX: x, clientY: y } = event.touches[0];
    this.#touch = { x, y, kind: "undecided" };
    this.#list.blame("finger");
    // The touch itself holds a list that the daemon moves.
    if (!this.#list.isMoved()) return;
    this.#touch.kind = "pan";
    this.#list.beginPan(y, "finger", event.timeStamp);
  }

  #touchMoved(event) {
    const touch = this.#touch;
    if (!touch || touch.kind === "other" || touch.kind === "scroll") return;
    const { clientX: x, clientY: y } = event.touches[0];
    if (touch.kind === "undecided") {
      const across = x - touch.x;
      const along = y - touch.y;
      if (across === 0 && along === 0) return;
      if (Math.abs(across) > Math.abs(along)) touch.kind = "other";
      else touch.kind = this.#list.leaves(along) && event.cancelable ? "pan" : "scroll";
      if (touch.kind === "scroll") this.#list.fingerRests();
      if (touch.kind !== "pan") return;
      this.#list.beginPan(y, "finger", event.timeStamp);
    }
    if (event.cancelable) event.preventDefault();
    this.#list.movePan(y, event.timeStamp);
  }

  #touchEnded(event, phase) {
    const touch = this.#touch;
    if (!touch || (event.touches.length > 0 && phase === "ended")) return;
    this.#touch = null;
    if (touch.kind === "pan") this.#list.endPan(phase, event.timeStamp);
    if (touch.kind === "scroll") this.#list.fingerLeft(phase, event.timeStamp);
  }

  // Mouse

  #mousePressed(event) {
    if (event.pointerType !== "mouse") return;
    const scroller = this.#scroller;
    if (event.offsetX >= scroller.clientWidth && event.target === scroller) {
      this.#list.blame("wheel"); // The scroll bar: an action of the user, but not a finger on the content.
    } else if (event.button === 0) {
      this.#mouse = { y: event.clientY, id: event.pointerId };
    }
  }

  #mouseMoved(event) {
    if (!this.#mouse || event.pointerType !== "mouse") return;
    if (this.#list.pan()) return this.#list.movePan(event.clientY, event.timeStamp);
    const along = event.clientY - this.#mouse.y;
    if (Math.abs(along) < MOUSE_SLOP) return;
    if (!this.#list.isMoved() && !this.#list.leaves(along)) {
      this.#mouse = null; // Let the user select text.
      return;
    }
    this.#scroller.setPointerCapture(this.#mouse.id);
    getSelection().removeAllRanges();
    this.#list.beginPan(event.clientY, "finger", event.timeStamp);
  }

  #mouseReleased(event, phase) {
    if (!this.#mouse || event.pointerType !== "mouse") return;
    this.#mouse = null;
    this.#list.endPan(phase, event.timeStamp);
  }

  // Wheel and keys

  /** A run of wheel events belongs to the browser or, if it starts at an edge and leads out, to the daemon. */
  #wheeled(event) {
    if (event.ctrlKey || event.deltaY === 0) return;
    const travel = wheelTravel(event, this.#scroller);
    const fresh = event.timeStamp - this.#lastWheel > WHEEL_SILENCE_MS;
    this.#lastWheel = event.timeStamp;
    const pan = this.#list.pan();
    if (!pan && !(fresh && this.#list.leaves(-travel))) {
      this.#list.blame("wheel");
      return;
    }
    event.preventDefault();
    if (pan && pan.cause !== "wheel") return;
    if (!pan) this.#list.beginPan(0, "wheel", event.timeStamp);
    const begun = this.#list.pan();
    if (!begun) return;
    this.#list.movePan(begun.translation - travel * WHEEL_GEAR, event.timeStamp);
    clearTimeout(this.#wheelTimer);
    this.#wheelTimer = setTimeout(
      () => this.#list.endPan("ended", performance.now()), WHEEL_SILENCE_MS);
  }

  #pressed(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const leadsOn = FORWARD_KEYS.has(event.key) && !event.shiftKey;
    if (leadsOn || BACKWARD_KEYS.has(event.key) || event.key === " ") this.#list.blame("key");
    // If there is nothing left to scroll, the key's request is sent as a separate message.
    if (leadsOn && this.#list.isAtEnd() && !this.#list.isScrolling() && !event.repeat) {
      this.#list.ask("loadMore", "key");
    }
    if (event.key.toLowerCase() === "r" && event.target === this.#scroller) {
      this.#list.ask("refresh", "key");
    }
  }
}

function wheelTravel(event, scroller) {
  if (event.deltaMode === WheelEvent.DOM_DELTA_LINE) return event.deltaY * 16;
  if (event.deltaMode === WheelEvent.DOM_DELTA_PAGE) return event.deltaY * scroller.clientHeight;
  return event.deltaY;
}
