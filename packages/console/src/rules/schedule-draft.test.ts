import { describe, expect, it } from 'vitest';
import { blankSchedule, forAccount, type ScheduleDraft, settleSchedule } from './schedule-draft.ts';

const nowMs = Date.parse('2026-03-02T12:00:00Z');
const tiktok = { kind: 'api', canPublish: true } as const;
const blank = { ...blankSchedule('acc', null), local: '2026-03-03T09:00' };
const toUtc = (local: string) => {
  const at = Date.parse(`${local}:00+01:00`);
  return Number.isNaN(at) ? null : new Date(at).toISOString();
};
const settle = (
  draft: Partial<ScheduleDraft & { local: string }> = {},
  given: Partial<Parameters<typeof settleSchedule>[1]> = {},
) =>
  settleSchedule(
    { ...blank, ...draft },
    {
      contentId: 'deck',
      account: tiktok,
      canPublish: true,
      before: undefined,
      toUtc,
      nowMs,
      ...given,
    },
  );

describe('a direct post', () => {
  it('has no privacy, comments or disclosure until they are chosen', () => {
    const { isDirect, isComplete, body } = settle();
    expect([isDirect, isComplete, body.privacyLevel]).toEqual([true, false, undefined]);
    expect(body).toMatchObject({ disableComment: true, brandOrganic: false, brandedContent: false });
    expect(settle({ privacy: 'SELF_ONLY' })).toMatchObject({
      isComplete: true,
      body: { mode: 'publish', privacyLevel: 'SELF_ONLY', scheduledFor: '2026-03-03T08:00:00.000Z' },
    });
  });

  it('that is promotional says for whom', () => {
    const disclosed = { privacy: 'SELF_ONLY', isDisclosed: true } as const;
    expect(settle(disclosed)).toMatchObject({ lacksDisclosure: true, isComplete: false });
    expect(settle({ ...disclosed, isOwnBrand: true })).toMatchObject({
      lacksDisclosure: false,
      isComplete: true,
      body: { brandOrganic: true, brandedContent: false },
    });
  });

  it('is open to a role and an account that may post directly, and forgets the privacy with the account', () => {
    for (const given of [{ canPublish: false }, { account: { ...tiktok, canPublish: false } }])
      expect(settle({}, given)).toMatchObject({
        mayPublish: false,
        isDirect: false,
        body: { mode: 'draft' },
      });
    expect({ ...blank, privacy: 'SELF_ONLY', mode: 'publish', ...forAccount('b') }).toEqual({
      ...blank,
      accountId: 'b',
    });
  });
});

describe('a draft', () => {
  it('sends neither privacy nor disclosure, whatever was chosen before', () => {
    const { body, isComplete } = settle({
      mode: 'draft',
      privacy: 'SELF_ONLY',
      isDisclosed: true,
      isBranded: true,
    });
    expect(isComplete).toBe(true);
    expect(body).toMatchObject({ mode: 'draft', brandOrganic: false, brandedContent: false });
    expect('privacyLevel' in body).toBe(false);
  });

  it('is what the account had last, with its music, until another choice', () => {
    const before = { mode: 'draft', hasMusic: false } as const;
    expect(settle({}, { before })).toMatchObject({ choices: before, body: { autoAddMusic: false } });
    expect(settle({ mode: 'publish', hasMusic: true }, { before })).toMatchObject({
      choices: { mode: 'publish', hasMusic: true },
    });
  });
});

describe('the time', () => {
  it.each([
    ['', null, null],
    ['2026-03-02T12:59', '2026-03-02T11:59:00.000Z', null],
    ['2026-03-02T12:58', '2026-03-02T11:58:00.000Z', 'past'],
    ['2026-13-01T09:00', null, 'noTime'],
  ])('“%s” is %s, with the problem %s', (local, at, timeProblem) => {
    expect(settle({ local })).toMatchObject({ at, timeProblem });
  });
});

it('an account of kind phone posts neither directly nor as a draft', () => {
  expect(settle({}, { account: { kind: 'phone', canPublish: false } })).toMatchObject({
    isPhone: true,
    isDirect: false,
    isComplete: true,
    body: { mode: 'phone' },
  });
});

it('without an account nothing is complete', () => {
  expect(settle({ accountId: '', mode: 'draft' }, { account: undefined }).isComplete).toBe(false);
});
