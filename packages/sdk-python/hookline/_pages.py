from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from dataclasses import dataclass
from typing import Any, Generic, Literal, TypeVar

from ._core import NotGiven

T = TypeVar("T")
CursorName = Literal["cursor", "after", "before"]

ROWS_PER_PAGE = 100


@dataclass(frozen=True)
class Page(Generic[T]):
    data: list[T]
    next_cursor: str | None
    """None when this was the last page. The event feed and the audit log always have one."""
    previous_cursor: str | None = None
    """With ``order="newest"``: None when there is nothing older."""


def _page(answer: dict[str, Any]) -> Page[Any]:
    return Page(answer["data"], answer["nextCursor"], answer.get("previousCursor"))


def _start(query: dict[str, Any]) -> dict[str, Any]:
    given = {name: value for name, value in query.items() if not isinstance(value, NotGiven)}
    return {"limit": ROWS_PER_PAGE, **given}


def _next(page: Page[Any], query: dict[str, Any], cursor_name: CursorName) -> str | None:
    if cursor_name == "before":
        return page.previous_cursor
    # A feed has a cursor even at its end.
    return None if cursor_name == "after" and len(page.data) < query["limit"] else page.next_cursor


class Pages(Generic[T]):
    """A list of the API. Nothing is requested until it is read: a ``for`` loop reads every page as it is
    needed, ``page()`` one page."""

    def __init__(
        self, load: Callable[[dict[str, Any]], dict[str, Any]], query: dict[str, Any], cursor_name: CursorName
    ) -> None:
        self._load = load
        self._query = _start(query)
        self._cursor_name: CursorName = "before" if self._query.get("order") == "newest" else cursor_name

    def page(self, cursor: str | None = None) -> Page[T]:
        """:param cursor: the ``next_cursor`` of the page before, with ``order="newest"`` its ``previous_cursor``;
        without it, the first page"""
        asked = self._query if cursor is None else {**self._query, self._cursor_name: cursor}
        return _page(self._load(asked))

    def __iter__(self) -> Iterator[T]:
        page = self.page()
        while True:
            yield from page.data
            cursor = _next(page, self._query, self._cursor_name)
            if cursor is None:
                return
            page = self.page(cursor)


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
        self._cursor_name: CursorName = "before" if self._query.get("order") == "newest" else cursor_name

    async def page(self, cursor: str | None = None) -> Page[T]:
        """:param cursor: the ``next_cursor`` of the page before, with ``order="newest"`` its ``previous_cursor``;
        without it, the first page"""
        asked = self._query if cursor is None else {**self._query, self._cursor_name: cursor}
        return _page(await self._load(asked))

    async def __aiter__(self) -> AsyncIterator[T]:
        page = await self.page()
        while True:
            for row in page.data:
                yield row
            cursor = _next(page, self._query, self._cursor_name)
            if cursor is None:
                return
            page = await self.page(cursor)
