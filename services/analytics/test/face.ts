/** Internals that tests outside the service use. */
export { ensureSnapshotPartition } from '../src/collecting/queries-snapshots.ts';
export { type LearnedDeck, lessonOf } from '../src/decks/lesson.rules.ts';
