export type Page<T> = {
  data: T[];
  /** Null when this was the last page. The event feed and the audit log always have one. */
  nextCursor: string | null;
  /** With `order: 'newest'`: null when there is nothing older. */
  previousCursor?: string | null;
};

type CursorName = 'cursor' | 'after' | 'before';
type Query = { [Name in CursorName | 'order']?: string | undefined } & { limit?: number | undefined };

const rowsPerPage = 100;

/**
 * A list of the API. Nothing is requested until it is read: `for await (const row of list)` reads every page
 * as it is needed, `page()` one page.
 */
export class Pages<T> implements AsyncIterable<T> {
  readonly #load: (query: Query) => Promise<Page<T>>;
  readonly #query: Query;
  readonly #cursorName: CursorName;

  constructor(load: (query: Query) => Promise<Page<T>>, query: Query, cursorName: CursorName) {
    this.#load = load;
    this.#query = { limit: rowsPerPage, ...withoutUndefined(query) };
    this.#cursorName = query.order === 'newest' ? 'before' : cursorName;
  }

  /**
   * @param cursor the `nextCursor` of the page before, with `order: 'newest'` its `previousCursor`; without it, the
   * first page
   */
  page(cursor?: string): Promise<Page<T>> {
    return this.#load(cursor === undefined ? this.#query : { ...this.#query, [this.#cursorName]: cursor });
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    let page = await this.page();
    while (true) {
      yield* page.data;
      // A feed has a cursor even at its end.
      const isEnd = this.#cursorName === 'after' && page.data.length < (this.#query.limit ?? rowsPerPage);
      const next = this.#cursorName === 'before' ? page.previousCursor : page.nextCursor;
      if (!next || isEnd) return;
      page = await this.page(next);
    }
  }

  /** The rows as an array. @param max stop after this many */
  async toArray(max = Number.POSITIVE_INFINITY): Promise<T[]> {
    const rows: T[] = [];
    if (max <= 0) return rows;
    for await (const row of this) {
      rows.push(row);
      if (rows.length >= max) break;
    }
    return rows;
  }
}

function withoutUndefined(query: Query): Query {
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined));
}
