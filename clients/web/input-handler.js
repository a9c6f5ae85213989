// Handles input on a scroller: touch, mouse, wheel and keys. It decides which gestures the browser
// handles.

/**
 * A wheel reports no release. If it has sent no event for this time, in milliseconds, it counts as
 * released.
 */
const WHEEL_SILENCE_MS = 120;
/**
 * The ratio of finger travel to wheel travel. One notch is 100 to 120 pixels, far more than a
 * finger's first move.
 */
const WHEEL_RATIO = 0.5;
/** The distance in pixels that the mouse must travel before a press becomes a drag. */
const DRAG_DISTANCE_MIN = 4;
const FORWARD_KEYS = new Set(["ArrowDown", "PageDown", "End", " "]);
const BACKWARD_KEYS = new Set(["ArrowUp", "PageUp", "Home"]);

/**
 * Reports the user's input on the element `scroller` to `list`, until `signal` aborts. A gesture
 * that leads out of the content is a pan (`beginPan`, `movePan`, `endPan`). The browser handles all
 * other gestures, and only their cause is reported (`setCause`).
 */
export class InputHandler {
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
    scroller.addEventListener("wheel", (event) => this.#wheelMoved(event), active);
    scroller.addEventListener("keydown", (event) => this.#keyPressed(event), passive);
    scroller.addEventListener("touchstart", (event) => this.#touchStarted(event), passive);
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

  /** Ends a pan of the mouse or of the wheel without a call of `endPan`. */
  cancelPan() {
    this.#mouse = null;
    clearTimeout(this.#wheelTimer);
  }

  // Touch

  #touchStarted(event) {
    if (event.touches.length > 1) {
      if (this.#touch) this.#touchEnded(event, "cancelled");
      this.#touch = { kind: "other" };
      return;
    }
    const { clientX: x, clientY: y } = event.touches[0];
    this.#touch = { x, y, kind: "undecided" };
    this.#list.setCause("finger");
    // A touch stops a list that the daemon moves.
    if (!this.#list.isAnimating()) return;
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
      else touch.kind = this.#list.leadsOut(along) && event.cancelable ? "pan" : "scroll";
      if (touch.kind === "scroll") this.#list.startKeepAlive();
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
    if (touch.kind === "scroll") this.#list.endScroll(phase, event.timeStamp);
  }

  // Mouse

  #mousePressed(event) {
    if (event.pointerType !== "mouse") return;
    const scroller = this.#scroller;
    if (event.offsetX >= scroller.clientWidth && event.target === scroller) {
      // A drag of the scroll bar is reported with the cause `wheel`, because no finger holds the
      // content.
      this.#list.setCause("wheel");
    } else if (event.button === 0) {
      this.#mouse = { y: event.clientY, id: event.pointerId };
    }
  }

  #mouseMoved(event) {
    if (!this.#mouse || event.pointerType !== "mouse") return;
    if (this.#list.pan()) return this.#list.movePan(event.clientY, event.timeStamp);
    const along = event.clientY - this.#mouse.y;
    if (Math.abs(along) < DRAG_DISTANCE_MIN) return;
    if (!this.#list.isAnimating() && !this.#list.leadsOut(along)) {
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

  /**
   * Handles a wheel event. If a series of events starts at an edge and leads out of the content,
   * the daemon moves the list. For any other series, the browser scrolls.
   */
  #wheelMoved(event) {
    if (event.ctrlKey || event.deltaY === 0) return;
    const travel = wheelTravel(event, this.#scroller);
    const isNewRun = event.timeStamp - this.#lastWheel > WHEEL_SILENCE_MS;
    this.#lastWheel = event.timeStamp;
    const pan = this.#list.pan();
    if (!pan && !(isNewRun && this.#list.leadsOut(-travel))) {
      this.#list.setCause("wheel");
      return;
    }
    event.preventDefault();
    if (pan && pan.cause !== "wheel") return;
    if (!pan) this.#list.beginPan(0, "wheel", event.timeStamp);
    const newPan = this.#list.pan();
    if (!newPan) return;
    this.#list.movePan(newPan.translation - travel * WHEEL_RATIO, event.timeStamp);
    clearTimeout(this.#wheelTimer);
    this.#wheelTimer = setTimeout(
      () => this.#list.endPan("ended", performance.now()), WHEEL_SILENCE_MS);
  }

  #keyPressed(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const leadsForward = FORWARD_KEYS.has(event.key) && !event.shiftKey;
    const leadsBackward = BACKWARD_KEYS.has(event.key) || (event.key === " " && event.shiftKey);
    if (leadsForward || leadsBackward) {
      this.#list.setCause("key");
      // At the end of the list, the browser does not scroll, so the request for more is sent
      // separately.
      if (this.#list.isAtEnd(leadsForward) && !this.#list.isScrolling() && !event.repeat) {
        this.#list.request("loadMore", "key");
      }
    }
    if (event.key.toLowerCase() === "r" && event.target === this.#scroller) {
      this.#list.request("refresh", "key");
    }
  }
}

function wheelTravel(event, scroller) {
  if (event.deltaMode === WheelEvent.DOM_DELTA_LINE) return event.deltaY * 16;
  if (event.deltaMode === WheelEvent.DOM_DELTA_PAGE) return event.deltaY * scroller.clientHeight;
  return event.deltaY;
}

/** Returns the field `cause`. For a finger, which is the default, the field is omitted. */
export function causeField(cause) {
  return cause === "finger" ? {} : { cause };
}
