// The types of the package that are not part of the protocol. This file has types only.

export {};

/**
 * A socket, as far as a session uses it: a `WebSocket` of a browser, or of a package such as `ws`.
 *
 * @typedef {{
 *   readyState: number, send: (text: string) => void, close: () => void,
 *   onopen: ((event: any) => void) | null, onmessage: ((event: any) => void) | null,
 *   onclose: ((event: any) => void) | null, onerror: ((event: any) => void) | null,
 * }} Socket
 */

/** @typedef {new (url: string, subprotocol: string) => Socket} WebSocketClass */

/** @typedef {(url: string, subprotocol: string) => Socket} OpenSocket */

/** @typedef {string | (() => string | Promise<string>)} Token */

/** @typedef {Pick<Storage, "getItem" | "setItem" | "removeItem">} StateStorage */

/**
 * The options of a session.
 * - `url`: the address of the daemon's `/v1/session`, with `ws://` or `wss://`; by default on the host of
 *   the page.
 * - `name`: the client's name and version, for the daemon's log.
 * - `frames`: the drawing mode, as in `hello`.
 * - `WebSocket`: the class of the sockets; by default the global one, which browsers have. `open` creates a socket, and
 *   replaces `WebSocket`.
 * - `token`: the token, or a function that returns the token for each `hello` or a promise of it.
 * - `storage`, such as `sessionStorage`: a reloaded page resumes the session, if all views have
 *   `saveState`. A program without pages calls `save` of the client before it ends.
 * - `diagnostics`: the daemon reports ignored fields and messages, and the console shows them.
 * - `features`: the names of the features that the page uses (docs/protocol.md, "Features"), none by
 *   default. Null also switches off the options that all features share, such as `initial`.
 * - `edits`: the class `Edits` of `refreshd-client/edits`, if the user can change lists. `newEditName` returns the
 *   name of a new edit; by default a random UUID.
 * - `random`: returns a number from 0 to 1; it spreads the attempts to reconnect.
 *
 * @typedef {{
 *   url?: string, name?: string, token?: Token | null,
 *   frames?: import("./protocol-types.js").FramesMode | import("./protocol-types.js").FrameOptions,
 *   storage?: StateStorage | null, diagnostics?: boolean, features?: import("./protocol-types.js").FeatureName[] | null,
 *   WebSocket?: WebSocketClass, open?: OpenSocket, random?: () => number,
 *   edits?: typeof import("./edits.js").Edits, newEditName?: () => string,
 * }} RefreshClientOptions
 */

/**
 * The status of a session.
 * - `connecting`: an attempt to connect runs.
 * - `open`: the daemon has answered with `welcome`.
 * - `lost`: there is no connection, and the client connects again after `retryInMs`.
 * - `refused`: the daemon has closed the connection for good; the client does not connect again.
 * - `closed`: `close` was called. This client cannot be used again.
 *
 * @typedef {"connecting" | "open" | "lost" | "refused" | "closed"} Status
 */

/**
 * A message with `seq`.
 *
 * @typedef {Exclude<
 *   import("./protocol-types.js").SentMessage, {type: "hello" | "ping" | "snapshot" | "bye"}
 * >} Numbered
 */

/**
 * A message without `seq`, which the session adds.
 *
 * @template T
 * @typedef {T extends any ? Omit<T, "seq"> : never} WithoutSeq
 */

/**
 * A message that `RefreshClient.send` sends.
 *
 * @typedef {WithoutSeq<Numbered>} Message
 */

/**
 * The type of a message about a view. A client attaches its views in `hello`.
 *
 * @typedef {Exclude<Numbered["type"], "attach" | "detach">} ViewMessageType
 */

/**
 * The members of a message about a view, without those that the view adds.
 *
 * @template {ViewMessageType} T
 * @typedef {Omit<Extract<Numbered, {type: T}>, "type" | "seq" | "view">} ViewMessageFields
 */

/**
 * The arguments of `View.send` after the type. They can be left out if no member is required.
 *
 * @template {ViewMessageType} T
 * @typedef {(
 *   {} extends ViewMessageFields<T> ? [fields?: ViewMessageFields<T>] : [fields: ViewMessageFields<T>]
 * )} ViewMessageArguments
 */

/**
 * An error of the daemon, or one of the client's own:
 * - `tokenFailed`, `openFailed`: the option `token`, or the creation of a socket, has failed. The client
 *   connects again, as after `damagedFrame`: a frame cannot be used.
 * - `descriptionFailed`: the function that describes a view has failed. The view is not attached.
 * - `outboxFull`: more than 1,000 messages wait for the daemon.
 *
 * `dropped` contains messages that are not sent again: those of `outboxFull`, and those that the daemon has
 * refused when the client repeated them after a lost connection.
 *
 * @typedef {Omit<import("./protocol-types.js").ReceivedError, "code"> & {
 *   code: import("./protocol-types.js").FaultCode | "tokenFailed" | "openFailed" | "damagedFrame" | "descriptionFailed"
 *     | "outboxFull", dropped?: Message[],
 * }} ClientError
 */

/**
 * The details of the events of a session. `error` of a `status` is the reason for `lost` or `refused`, if
 * it is known: before the first `welcome`, a failed connection or an error of the daemon; later, only
 * `tokenFailed`, `openFailed` and `damagedFrame`.
 *
 * @typedef {{
 *   status: {status: Status, attempt: number, retryInMs: number, code?: number,
 *     error?: {message: string, code?: ClientError["code"], field?: string}},
 *   welcome: import("./protocol-types.js").ReceivedWelcome, error: ClientError,
 *   diagnostic: import("./protocol-types.js").ReceivedDiagnostic,
 *   sent: import("./protocol-types.js").SentMessage, received: import("./protocol-types.js").ReceivedMessage,
 * }} ClientEvents
 */

/**
 * The state of an edge: all updates merged. `progress` (0 to 1), `cause` and `result` are present in
 * some states.
 *
 * `top.state` of a list that refreshes at its top:
 * - `disabled`: no pull is detected.
 * - `idle`: the edge shows nothing.
 * - `pulling`: the list is pulled by `progress` of the threshold (64 points in the profile `default`).
 * - `eligible`: the pull is far enough, and the finger is still down. A release refreshes.
 * - `triggered`: a load was requested and is not shown yet.
 * - `refreshing`: the refresh runs, and the indicator turns.
 * - `succeeded`, `failed`: the refresh has ended like this, which is shown for a moment.
 * - `finishing`: the refresh has ended, and the indicator disappears.
 *
 * `bottom.state`, where more items are loaded:
 * - `disabled`: nothing is requested.
 * - `idle`: the list is away from its end.
 * - `approaching`: the list is near the threshold. `progress` states how near.
 * - `eligible`: the list is at the threshold, and the edge waits for the release.
 * - `triggered`: a page was requested, and its load is not shown yet.
 * - `loading`: the next page is loaded.
 * - `failed`: the last load has failed. `retry` repeats it.
 * - `noMore`: there is no next page.
 *
 * Before the daemon has attached the view, an edge is `{}`. `room` is the height in points that a
 * refresh opens.
 *
 * @typedef {import("./protocol-types.js").EdgeUpdate & {room?: number | null}} Edge
 */

/**
 * The view's member of `hello`, without its name.
 *
 * @typedef {Omit<import("./protocol-types.js").AttachBody, "view">} ViewDescription
 */

/**
 * An `items` message as a view shows it: for a patch, one that replaces the list. `offset` of a `fill` is the row
 * of its first item.
 *
 * @typedef {import("./protocol-types.js").ReceivedItems & {
 *   mode: "replace" | "append" | "prepend" | "fill", items: any[],
 * }} ShownItems
 */

/**
 * The details of the events of a view.
 *
 * @typedef {{
 *   attached: import("./protocol-types.js").ReceivedAttached, update: import("./protocol-types.js").ReceivedUpdate,
 *   items: ShownItems, edited: import("./protocol-types.js").ReceivedEdited,
 *   loading: import("./protocol-types.js").ReceivedLoading,
 *   load: import("./protocol-types.js").ReceivedLoad, error: import("./protocol-types.js").ReceivedError,
 *   disconnected: undefined, ended: undefined, emptied: undefined,
 * }} ViewEvents
 */

/**
 * What a list does at once: changes of its insets and its offset, each with a timeline of this page's
 * clock (docs/protocol.md, "Commands and timelines"), and haptic cues.
 *
 * @typedef {{inset?: any, offset?: any, haptic?: string[]}} Commands
 */

/**
 * The elements of a list. `scroller` scrolls; in it, `stage` contains `above`, `content` and `below`.
 * `indicators` has the size of the scroller and lies behind it.
 *
 * @typedef {{
 *   scroller: HTMLElement, stage: HTMLElement, above: HTMLElement, content: HTMLElement,
 *   below: HTMLElement, indicators: HTMLElement,
 * }} ListElements
 */

/**
 * An item of a list. Its members are those of the backend.
 *
 * @typedef {Record<string, any>} Item
 */

/**
 * The options of a list. `view` is the name of the view in its session, `list` by default. `frames`
 * decides who draws: `local` (default) draws each frame from the control law, `stream` draws the
 * frames that the daemon sends. `attach` contains all other members of the view's `attach`, such as
 * `top` and `bottom` (docs/protocol.md, "Profiles and edge options"). `insets` are the host's own, in
 * points. With `storage`, such as `sessionStorage`, a reloaded page resumes its session. `rows`
 * returns the elements of the rows, each with the name of its item in `data-id`; with it, the reader's
 * place is kept when the items are replaced. With `isRenderedLater`, the rows change after the event
 * `items`, and the page calls `handleRendered` then. With `rowHeight`, all rows have this height in points, the list
 * has random access, and the items that are not loaded are null (docs/protocol.md, "What is in sight").
 *
 * @typedef {{
 *   url?: string, view?: string, feed?: string,
 *   profile?: import("./protocol-types.js").ProfileName, frames?: "local" | "stream",
 *   parameters?: Record<string, string>, attach?: Partial<ViewDescription>,
 *   insets?: {top: number, bottom: number}, rows?: () => Iterable<Element>, isRenderedLater?: boolean,
 *   name?: string, token?: Token | null, storage?: StateStorage | null,
 *   diagnostics?: boolean, features?: import("./protocol-types.js").FeatureName[] | null, language?: string,
 *   WebSocket?: WebSocketClass,
 *   open?: OpenSocket, saveState?: () => any, rowHeight?: number,
 *   edits?: typeof import("./edits.js").Edits, newEditName?: () => string,
 * }} RefreshListOptions
 */

/**
 * The detail of the event `items`. `mode` is what happens to the rows: `replace`, `append` or
 * `prepend`, or, in a list with random access, `fill`: the items belong to the rows from `offset` on. `items` are the received ones, `removed` the number of items that the daemon left out
 * because they are in the list, `before` the previous items of the list. `isLive`: the items have changed
 * without a load (docs/protocol.md, "Live items").
 *
 * @typedef {{
 *   mode: "replace" | "append" | "prepend" | "fill", items: Item[], removed: number, before: Item[], isLive: boolean,
 *   offset?: number,
 * }} ItemsDetail
 */

/**
 * The details of the events of a list.
 *
 * @typedef {{
 *   items: ItemsDetail, haptic: string, edited: import("./protocol-types.js").ReceivedEdited,
 *   failure: {message: string, kind: "refresh" | "more" | "attach", code?: string},
 *   status: ClientEvents["status"],
 *   change: undefined, newer: undefined, refreshing: undefined,
 * }} ListEvents
 */

/**
 * A run of neighbouring items with equal values (docs/protocol.md, "Sections"). `start` is the position
 * of its first item in the list, and `count` the number of its items. With the value null it has no header.
 *
 * @typedef {{value: string | number | boolean | null, start: number, count: number}} ListSection
 */

/**
 * The texts of a list. Each function returns a text for its numbers: `count` items are shown, and
 * `total` is the number of all items, or undefined. `unreachable` is shown until the first connection
 * succeeds, `lost` after that. `rolledBack` is shown if an edit was refused. `unavailable` gets the message of the error that refuses the list.
 *
 * @typedef {{
 *   refresh: string, refreshing: string, loading: string, failed: string, retry: string, empty: string,
 *   unreachable: string, lost: string, refused: string, unavailable: (message: string) => string,
 *   newer: (count: number) => string, rolledBack: string,
 *   shown: (count: number, total: number | undefined) => string, end: (count: number) => string,
 *   updated: (count: number) => string, more: (added: number, count: number) => string,
 * }} ListTexts
 */

/**
 * The options of a displayed list: those of `RefreshList`, and `label`, the name of the list for
 * screen readers; `texts`, which replace the English ones; `footer`, whether the list has a footer.
 *
 * @typedef {RefreshListOptions
 *   & {label?: string, texts?: Partial<ListTexts>, footer?: boolean}} ListDisplayOptions
 */
