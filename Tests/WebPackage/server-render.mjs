// Renders a component with the hook on a server, without a DOM. Prints the text.

import { createElement } from "react";
import { renderToString } from "react-dom/server";
import { useRefreshList } from "refreshd-client/react";

function List() {
  const { items, ref, status } = useRefreshList({ feed: "packages" });
  return createElement("div", { ref }, `${items.length} items, ${status}`);
}
process.stdout.write(renderToString(createElement(List)));
