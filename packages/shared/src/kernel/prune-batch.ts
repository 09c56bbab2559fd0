/**
 * Old rows that one statement deletes: it holds its locks for milliseconds. A full batch means that more may
 * be old, and is followed by the next at once.
 */
export const pruneBatch = 1_000;
