// The React hook `useRefreshList`. It needs React 18 or newer.

import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import { ListDisplay } from "./list-display.js";

/** On a server, an effect before the paint has no meaning, and React would warn about it. */
const useEffectBeforePaint = typeof document === "undefined" ? useEffect : useLayoutEffect;

/** What the hook returns before the list is shown. */
const EMPTY = {
  items: /** @type {import("./client-types.js").Item[]} */ ([]), total: /** @type {number | undefined} */ (undefined),
  status: /** @type {import("./client-types.js").Status} */ ("connecting"), isConnected: false,
  topState: /** @type {import("./protocol-types.js").EdgeState | ""} */ (""),
  bottomState: /** @type {import("./protocol-types.js").EdgeState | ""} */ (""), failure: "", hasNewer: false, newerCount: 0,
  firstRow: 0, endRow: 0, acceptedEdits: /** @type {import("./protocol-types.js").EditKind[]} */ ([]),
};

/**
 * @param {ListDisplay} display
 * @returns {typeof EMPTY}
 */
function stateOf({ list, drawnRows }) {
  const { items, total, client, view, isConnected, top, bottom, failure, hasNewer, newerCount } = list;
  return {
    firstRow: drawnRows.first, endRow: drawnRows.end, acceptedEdits: view.acceptedEdits,
    items, total, status: client.status, isConnected, topState: top.state ?? "", bottomState: bottom.state ?? "",
    failure, hasNewer, newerCount,
  };
}

const isSame = (one, other) => Object.keys(one).every((name) => Object.is(one[name], other[name]));

/**
 * A list that can be pulled to refresh, and that loads more items at its end. Give `ref` to the element
 * around the rows, which must have a height. The rows are its children, each with the name of its item
 * in `data-id`, so that the reader's place is kept.
 *
 * A change of `url`, `view`, `feed`, `profile` or `frames` begins a new session. A change of
 * `parameters` makes a new query. Other options are read when the session begins. With `rowHeight`, draw only the
 * rows from `firstRow` on, before `endRow`; an item that is not loaded is null.
 *
 * @param {import("./client-types.js").ListDisplayOptions} options
 */
export function useRefreshList(options) {
  const [host, ref] = useState(/** @type {HTMLElement | null} */ (null));
  const [state, setState] = useState(EMPTY);
  const shown = useRef(/** @type {ListDisplay | null} */ (null));
  const newest = useRef(options);
  newest.current = options;
  const { url, view, feed, profile, frames } = options;
  const query = JSON.stringify(options.parameters);

  useEffect(() => {
    if (!host) return undefined;
    const display = new ListDisplay(host, { name: "web-react/1.0", ...newest.current, isRenderedLater: true });
    shown.current = display;
    let before = EMPTY;
    // While the list moves, this is called for each frame, and mostly nothing has changed.
    const update = () => {
      const after = stateOf(display);
      if (isSame(before, after)) return;
      before = after;
      setState(after);
    };
    display.list.addEventListener("change", update);
    display.list.addEventListener("newer", update);
    display.list.connect();
    return () => {
      display.list.removeEventListener("change", update);
      display.list.removeEventListener("newer", update);
      shown.current = null;
      display.close();
    };
  }, [host, url, view, feed, profile, frames]);

  useEffectBeforePaint(() => shown.current?.placeRows(state.firstRow), [state.firstRow, state.items]);
  useEffectBeforePaint(() => shown.current?.list.handleRendered(), [state.items]);

  const firstQuery = useRef(query);
  useEffect(() => {
    if (query === firstQuery.current) return;
    firstQuery.current = query;
    shown.current?.list.query(newest.current.parameters ?? {});
  }, [query]);

  const refresh = useCallback(() => shown.current?.list.refresh(), []);
  const loadMore = useCallback(() => shown.current?.list.loadMore(), []);
  const retry = useCallback((/** @type {"top" | "bottom"} */ edge = "bottom") => shown.current?.list.retry(edge), []);
  const showNewer = useCallback(() => shown.current?.list.showNewer(), []);
  const edit = useCallback((
    /** @type {import("./protocol-types.js").EditOperation} */ operation, /** @type {{delayMs?: number}} */ options = {},
  ) => shown.current?.list.view.edit(operation, options), []);
  const undo = useCallback((/** @type {string} */ name) => shown.current?.list.view.undo(name) ?? false, []);
  return {
    ...state, edit, undo, ref: /** @type {(element: HTMLElement | null) => void} */ (ref), refresh, loadMore, retry, showNewer,
    /** The list with its session; null before it is shown. */
    get list() { return shown.current?.list ?? null; },
  };
}
