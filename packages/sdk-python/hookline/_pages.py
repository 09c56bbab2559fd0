from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from dataclasses import dataclass
from typing import Any, Generic, Literal, TypeVar

from ._core import NotGiven

T = TypeVar("T")
CursorName = Literal["cursor", "after"]

ROWS_PER_PAGE = 100


@dataclass(frozen=True)
class Page(Generic[T]):
    data: list[T]
    next_cursor: str | None
    """None when this was the last page. The event feed and the audit log always have one."""


def _start(query: dict[str, Any]) -> dict[str, Any]:
    given = {name: value for name, value in query.items() if not isinstance(value, NotGiven)}
    return {"limit": ROWS_PER_PAGE, **given}


def _is_end(page: Page[Any], query: dict[str, Any], cursor_name: CursorName) -> bool:
    # A feed has a cursor even at its end.
    return page.next_cursor is None or (cursor_name == "after" and len(page.data) < query["limit"])


class Pages(Generic[T]):
    """A list of the API. Nothing is requested until it is read: a ``for`` loop reads every page as it is
    needed, ``page()`` one page."""

    def __init__(
        self, load: Callable[[dict[str, Any]], dict[str, Any]], query: dict[str, Any], cursor_name: CursorName
    ) -> None:
        self._load = load
        self._query = _start(query)
        self._cursor_name = cursor_name

    def page(self, cursor: str | None = None) -> Page[T]:
        """:param cursor: the ``next_cursor`` of the page before; without it, the first page"""
        asked = self._query if cursor is None else {**self._query, self._cursor_name: cursor}
        answer = self._load(asked)
        return Page(answer["data"], answer["nextCursor"])

    def __iter__(self) -> Iterator[T]:
        page = self.page()
        while True:
            yield from page.data
            if _is_end(page, self._query, self._cursor_name):
                return
            page = self.page(page.next_cursor)


class AsyncPages(Generic[T]):
    """A list of the API. Nothing is requested until it is read: an ``async for`` loop reads every page as it
    is needed, ``page()`` one page."""

    def __init__(
        self,
        load: Callable[[dict[str, Any]], Awaitable[dict[str, Any]]],
        query: dict[str, Any],
        cursor_name: CursorName,
    ) -> None:
        self._load = load
        self._query = _start(query)
        self._cursor_name = cursor_name

    async def page(self, cursor: str | None = None) -> Page[T]:
        """:param cursor: the ``next_cursor`` of the page before; without it, the first page"""
        asked = self._query if cursor is None else {**self._query, self._cursor_name: cursor}
        answer = await self._load(asked)
        return Page(answer["data"], answer["nextCursor"])

    async def __aiter__(self) -> AsyncIterator[T]:
        page = await self.page()
        while True:
            for row in page.data:
                yield row
            if _is_end(page, self._query, self._cursor_name):
                return
            page = await self.page(page.next_cursor)
