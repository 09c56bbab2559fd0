import { describe, expect, it } from 'vitest';
import type { Content } from '../types.ts';
import {
  type Action,
  begin,
  hasChanged,
  mayApprove,
  mayReject,
  reduce,
  type State,
} from './approve-queue.ts';

const deck = (id: string, over: Partial<Content> = {}) =>
  ({ id, version: 1, status: 'ready', approvalStatus: 'pending', result: {}, ...over }) as Content;
const [a, b, c] = ['a', 'b', 'c'].map(id => deck(id)) as [Content, Content, Content];
const read = (decks: Content[], asked?: Content, isWhole = true): Action => ({
  is: 'read',
  decks,
  isWhole,
  asked,
});
const after = (start: State, ...actions: Action[]) => actions.reduce(reduce, start);
const brief = ({ place }: State) =>
  place.is === 'showing' || place.is === 'gone' ? `${place.is} ${place.seen.id} at ${place.index}` : place.is;

describe('the deck on screen', () => {
  it('is the first that waits; without one it is known only when the whole queue was read', () => {
    expect(brief(after(begin(null), read([a, b])))).toBe('showing a at 0');
    expect(brief(after(begin(null), read([], undefined, false)))).toBe('choosing');
    expect(brief(after(begin(null), read([])))).toBe('empty');
    expect(brief(after(begin(null), read([]), read([a])))).toBe('showing a at 0');
  });

  it('is the one that is asked for, whatever became of it', () => {
    expect(brief(after(begin('c'), read([a, b])))).toBe('choosing');
    expect(brief(after(begin('b'), read([a, b])))).toBe('showing b at 1');
    expect(brief(after(begin('c'), read([a, b]), read([a, b], c)))).toBe('showing c at 0');
    const approved = deck('c', { approvalStatus: 'approved' });
    expect(brief(after(begin('c'), read([a, b], approved)))).toBe('gone c at 0');
    expect(brief(after(begin('c'), read([a, b]), { is: 'choose' }))).toBe('showing a at 0');
  });

  it('stays when it leaves the queue, and is gone when it is known to wait no longer', () => {
    const left = after(begin(null), read([a, b, c]), { is: 'move', by: 1 }, read([a, c]));
    expect(brief(left)).toBe('showing b at 1');
    const gone = after(left, read([a, c], deck('b', { approvalStatus: 'rejected' })));
    expect(brief(gone)).toBe('gone b at 1');
    expect(brief(after(gone, { is: 'move', by: 1 }))).toBe('showing c at 1');
    expect(brief(after(gone, { is: 'move', by: -1 }))).toBe('showing a at 0');
    expect(brief(after(gone, read([]), { is: 'move', by: 1 }))).toBe('empty');
  });

  it('is shown as it came: a newer version is looked at first', () => {
    const seen = after(begin(null), read([a]), { is: 'look', look: 'ready' });
    const newer = after(seen, read([deck('a', { version: 2 })]));
    expect([hasChanged(seen.place), hasChanged(newer.place)]).toEqual([false, true]);
    const accepted = after(newer, { is: 'accept' });
    expect([hasChanged(accepted.place), mayApprove(accepted.place)]).toEqual([false, false]);
  });

  it('that was being made is shown when it is there', () => {
    const queued = deck('a', { status: 'queued', result: null });
    const made = after(begin('a'), read([], queued), read([a]));
    expect(brief(made)).toBe('showing a at 0');
    expect(made.place).toMatchObject({ seen: { status: 'ready' } });
  });
});

describe('a decision', () => {
  it('needs a look at its deck, and the next deck needs its own', () => {
    const shown = after(begin(null), read([a, b]));
    const look = (state: State, look: 'loading' | 'painted' | 'ready' | 'failed') =>
      after(state, { is: 'look', look }).place;
    expect(
      ['loading', 'painted', 'ready', 'failed'].map(name => mayApprove(look(shown, name as 'ready'))),
    ).toEqual([false, false, true, false]);
    expect([mayReject(look(shown, 'painted')), mayReject(look(shown, 'failed'))]).toEqual([false, true]);
    const next = after(shown, { is: 'look', look: 'ready' }, { is: 'decided', id: 'a' });
    expect([brief(next), mayApprove(next.place)]).toEqual(['showing b at 0', false]);
    const again = after(next, { is: 'show', seen: a, now: a });
    expect([brief(again), mayApprove(again.place)]).toEqual(['showing a at 0', false]);
  });

  it('leads to the next deck, from the last one back, and from the only one to the empty queue', () => {
    const decided = (id: string): Action => ({ is: 'decided', id });
    const shown = after(begin('b'), read([a, b, c]));
    expect(brief(after(shown, decided('b')))).toBe('showing c at 1');
    expect(brief(after(shown, decided('a')))).toBe('showing b at 0');
    expect(brief(after(shown, decided('b'), decided('c')))).toBe('showing a at 0');
    expect(brief(after(shown, decided('b'), decided('c'), decided('a')))).toBe('empty');
  });

  it('is taken on no deck that does not wait', () => {
    const gone = after(begin('a'), read([], deck('a', { approvalStatus: 'approved' })), {
      is: 'look',
      look: 'ready',
    });
    expect([mayApprove(gone.place), mayReject(gone.place)]).toEqual([false, false]);
  });
});
