"""The list of the feed `board`, which users edit, and which the backend changes too."""

PLACES = ("at", "before", "after")


class Board:
    """Performs each edit once. An edit that does not fit the list is refused."""

    def __init__(self, random):
        self.random = random
        self.items = [self.item(f"first-{number}") for number in range(30)]
        self.answers = {}  # by idempotency key
        self.performed = []  # the names of the performed edits that state one
        self.count = 0  # of the changes of the backend itself

    @staticmethod
    def item(key, by=None):
        return {"id": key, "name": key, "by": by}

    def page(self, page, size):
        items = self.items[(page - 1) * size:page * size]
        return {"items": items, "more": page * size < len(self.items), "total": len(self.items)}

    def index(self, key):
        return next((index for index, item in enumerate(self.items) if item["id"] == key), None)

    def apply(self, operation):
        """Applies an operation. Returns whether it fits the list."""
        [kind] = operation.keys() - set(PLACES)
        value = operation[kind]
        old = self.index(value["id"] if isinstance(value, dict) else value)
        if (old is None) != (kind == "insert"):
            return False
        if kind == "update":
            self.items[old] = value
            return True
        if "at" not in operation and kind != "remove":
            neighbour = operation.get("before", operation.get("after"))
            if neighbour == value or self.index(neighbour) is None:
                return False
        item = value if kind == "insert" else self.items.pop(old)
        if kind != "remove":
            self.items.insert(self.place(operation), item)
        return True

    def place(self, operation):
        if "at" in operation:
            return 0 if operation["at"] == "start" else len(self.items)
        return self.index(operation["before"]) if "before" in operation else self.index(operation["after"]) + 1

    def edit(self, key, operation):
        """Returns the status of the answer to an edit of a user."""
        if key not in self.answers:
            is_performed = self.apply(operation)
            [value] = [operation[name] for name in operation if name not in PLACES]
            if is_performed and isinstance(value, dict):
                self.performed.append(value["by"])
            self.answers[key] = "200 OK" if is_performed else "409 Conflict"
        return self.answers[key]

    def change(self):
        """Changes the list as the backend itself. Returns the operation, which every view of the feed may know."""
        self.count += 1
        operation = self.operation(self.items, f"own-{self.count}", None)
        self.apply(operation)
        return operation

    def operation(self, items, name, by):
        """Returns an operation that fits a list. The board keeps about 30 items."""
        kinds = ["insert"] * (3 if len(items) < 30 else 1) + ["remove"] * (len(items) > 15) + ["update", "move"]
        kind = self.random.choice(kinds if len(items) > 2 else ["insert"])
        one, other = self.random.sample(items, 2) if len(items) > 2 else (None, None)
        if kind == "insert":
            place = {"at": "start"} if one is None or self.random.random() < 0.7 else {"after": one["id"]}
            return {"insert": self.item(name, by), **place}
        if kind == "update":
            return {"update": {**one, "name": f"{one['id']} by {name}", "by": by}}
        if kind == "remove":
            return {"remove": one["id"]}
        return {"move": one["id"], self.random.choice(("before", "after")): other["id"]}
