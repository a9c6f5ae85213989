// A list of packages with the hook. A bundler that understands JSX makes a page of it.

import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { useRefreshList } from "refreshd-client/react";

function Packages() {
  const { items, ref, topState, isConnected, refresh } = useRefreshList({
    url: "ws://127.0.0.1:8080/v1/session", feed: "packages", label: "Packages",
  });
  return (
    <>
      <button disabled={!isConnected} onClick={refresh}>Refresh</button>
      <div ref={ref} className="list" data-state={topState} style={{ height: "90vh" }}>
        {items.map(({ name, description, version }) => (
          <div key={name} data-id={name} role="listitem" style={{ padding: 12 }}>
            <b>{name}</b> {version} <div>{description}</div>
          </div>
        ))}
      </div>
    </>
  );
}

createRoot(document.querySelector("main")).render(<StrictMode><Packages /></StrictMode>);
