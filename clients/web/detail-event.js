/**
 * An event with a `detail`, like `CustomEvent`, which Node 18 does not have.
 *
 * @template T
 */
export class DetailEvent extends Event {
  /** @type {T} */
  detail;

  /**
   * @param {string} type
   * @param {T} [detail]
   */
  constructor(type, detail) {
    super(type);
    this.detail = /** @type {T} */ (detail);
  }
}

const { addEventListener, removeEventListener, dispatchEvent } = EventTarget.prototype;
/** `EventTarget` without the types of its methods, because typed methods could not override them. */
const Base = /** @type {new () => {}} */ (/** @type {unknown} */ (EventTarget));

/**
 * An `EventTarget` with types for its events: `Events` are their details, by type.
 *
 * @template Events
 */
export class TypedEventTarget extends Base {
  /**
   * @template {keyof Events & string} K
   * @param {K} type
   * @param {(event: DetailEvent<Events[K]>) => void} listener
   * @param {AddEventListenerOptions | boolean} [options]
   */
  addEventListener(type, listener, options) {
    addEventListener.call(this, type, listener, options);
  }

  /**
   * @template {keyof Events & string} K
   * @param {K} type
   * @param {(event: DetailEvent<Events[K]>) => void} listener
   * @param {EventListenerOptions | boolean} [options]
   */
  removeEventListener(type, listener, options) {
    removeEventListener.call(this, type, listener, options);
  }

  /** @param {Event} event */
  dispatchEvent(event) {
    return dispatchEvent.call(this, event);
  }
}
