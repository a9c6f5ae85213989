// A list with the hook that draws only the rows in sight.

import { createRoot } from "react-dom/client";
import { useRefreshList } from "refreshd-client/react";

const HEIGHT = 48;

function Packages() {
  const { items, ref, firstRow, endRow, topState } = useRefreshList({
    url: "ws://127.0.0.1:8080/v1/session", feed: "packages", label: "Packages", rowHeight: HEIGHT,
  });
  return (
    <div ref={ref} className="list" data-state={topState} style={{ height: "90vh" }}>
      {items.slice(firstRow, endRow).map((item, index) => (
        <div key={firstRow + index} role="listitem" aria-posinset={firstRow + index + 1} aria-setsize={items.length}
          data-placeholder={item ? undefined : ""}>{item?.name}</div>
      ))}
    </div>
  );
}

createRoot(document.querySelector("main")).render(<Packages />);
