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
};

/**
 * @param {import("./refresh-list.js").RefreshList} list
 * @returns {typeof EMPTY}
 */
function stateOf({ items, total, client, isConnected, top, bottom, failure, hasNewer, newerCount }) {
  return {
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
 * `parameters` makes a new query. Other options are read when the session begins.
 *
 * @param {import("./client-types.js").ListDisplayOptions} options
 */
export function useRefreshList(options) {
  const [host, ref] = useState(/** @type {HTMLElement | null} */ (null));
  const [state, setState] = useState(EMPTY);
  const list = useRef(/** @type {import("./refresh-list.js").RefreshList | null} */ (null));
  const newest = useRef(options);
  newest.current = options;
  const { url, view, feed, profile, frames } = options;
  const query = JSON.stringify(options.parameters);

  useEffect(() => {
    if (!host) return undefined;
    const display = new ListDisplay(host, { name: "web-react/1.0", ...newest.current, isRenderedLater: true });
    list.current = display.list;
    let shown = EMPTY;
    // While the list moves, this is called for each frame, and mostly nothing has changed.
    const update = () => {
      const after = stateOf(display.list);
      if (isSame(shown, after)) return;
      shown = after;
      setState(after);
    };
    display.list.addEventListener("change", update);
    display.list.addEventListener("newer", update);
    display.list.connect();
    return () => {
      display.list.removeEventListener("change", update);
      display.list.removeEventListener("newer", update);
      list.current = null;
      display.close();
    };
  }, [host, url, view, feed, profile, frames]);

  useEffectBeforePaint(() => list.current?.handleRendered(), [state.items]);

  const firstQuery = useRef(query);
  useEffect(() => {
    if (query === firstQuery.current) return;
    firstQuery.current = query;
    list.current?.query(newest.current.parameters ?? {});
  }, [query]);

  const refresh = useCallback(() => list.current?.refresh(), []);
  const loadMore = useCallback(() => list.current?.loadMore(), []);
  const retry = useCallback((/** @type {"top" | "bottom"} */ edge = "bottom") => list.current?.retry(edge), []);
  const showNewer = useCallback(() => list.current?.showNewer(), []);
  return {
    ...state, ref: /** @type {(element: HTMLElement | null) => void} */ (ref), refresh, loadMore, retry, showNewer,
    /** The list with its session; null before it is shown. */
    get list() { return list.current; },
  };
}
