export type Page<T> = {
    data: T[];
    /** Null when this was the last page. The event feed and the audit log always have one. */
    nextCursor: string | null;
};
type CursorName = 'cursor' | 'after';
type Query = {
    limit?: number | undefined;
    cursor?: string | undefined;
    after?: string | undefined;
};
/**
 * A list of the API. Nothing is requested until it is read: `for await (const row of list)` reads every page
 * as it is needed, `page()` one page.
 */
export declare class Pages<T> implements AsyncIterable<T> {
    #private;
    constructor(load: (query: Query) => Promise<Page<T>>, query: Query, cursorName: CursorName);
    /** @param cursor the `nextCursor` of the page before; without it, the first page */
    page(cursor?: string): Promise<Page<T>>;
    [Symbol.asyncIterator](): AsyncGenerator<T, void, undefined>;
    /** The rows as an array. @param max stop after this many */
    toArray(max?: number): Promise<T[]>;
}
export {};
