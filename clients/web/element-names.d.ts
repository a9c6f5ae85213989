// The types of the element for the DOM: its name, and its events.

import type { ListEvents } from "./client-types.js";
import type { EdgeUpdate } from "./protocol-types.js";
import type { RefreshListElement as Element } from "./refresh-list-element.js";

/** The events of `<refresh-list>`. `state` has the states of both edges: `detail.top.state`. */
export interface RefreshListElementEventMap {
  items: CustomEvent<ListEvents["items"]>;
  state: CustomEvent<{ top: EdgeUpdate, bottom: EdgeUpdate, isConnected: boolean }>;
  status: CustomEvent<ListEvents["status"]>;
  failure: CustomEvent<ListEvents["failure"]>;
  newer: CustomEvent<undefined>;
  haptic: CustomEvent<string>;
  edited: CustomEvent<ListEvents["edited"]>;
}

declare module "./refresh-list-element.js" {
  interface RefreshListElement {
    addEventListener<K extends keyof RefreshListElementEventMap>(
      type: K, listener: (this: Element, event: RefreshListElementEventMap[K]) => any,
      options?: boolean | AddEventListenerOptions): void;
    addEventListener<K extends keyof HTMLElementEventMap>(
      type: K, listener: (this: HTMLElement, event: HTMLElementEventMap[K]) => any,
      options?: boolean | AddEventListenerOptions): void;
    addEventListener(
      type: string, listener: EventListenerOrEventListenerObject, options?: boolean | AddEventListenerOptions): void;
    removeEventListener<K extends keyof RefreshListElementEventMap>(
      type: K, listener: (this: Element, event: RefreshListElementEventMap[K]) => any,
      options?: boolean | EventListenerOptions): void;
    removeEventListener<K extends keyof HTMLElementEventMap>(
      type: K, listener: (this: HTMLElement, event: HTMLElementEventMap[K]) => any,
      options?: boolean | EventListenerOptions): void;
    removeEventListener(
      type: string, listener: EventListenerOrEventListenerObject, options?: boolean | EventListenerOptions): void;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "refresh-list": Element;
  }
}
