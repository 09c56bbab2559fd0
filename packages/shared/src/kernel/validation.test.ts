import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ApiError } from '../contracts/errors.ts';
import { arrayOf, body, filledText, integer, oneOf, text } from '../contracts/fields.ts';
import { checker } from './validation.ts';

const brief = body({ slideCount: integer(2, 10).optional(), ctaMode: oneOf(['soft', 'none']).optional() });
const check = checker(
  body({
    name: filledText(5),
    brief: brief.optional(),
    slides: arrayOf(body({ text: text(1, 10) }), 1, 2, 'slides').optional(),
  }),
  'body',
);

function complaint(value: unknown, checkIt: (value: unknown) => unknown = check): string {
  try {
    checkIt(value);
  } catch (error) {
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ code: 'invalid_request', status: 400 });
    return (error as ApiError).message;
  }
  return 'accepted';
}

describe('checker', () => {
  it('hands the value on when it fits', () => {
    expect(check({ name: 'Pebbl', brief: { slideCount: 2 } })).toEqual({
      name: 'Pebbl',
      brief: { slideCount: 2 },
    });
  });

  it.each([
    ['a missing field', {}, 'name is required and must be a text of 1 to 5 characters that is not blank'],
    ['a null', { name: null }, 'name must be a text of 1 to 5 characters that is not blank'],
    [
      'nothing to see',
      { name: '\u200b\u2060' },
      'name must be a text of 1 to 5 characters that is not blank',
    ],
    ['a missing body', undefined, 'body must be a JSON object'],
    ['a list as body', [], 'body must be a JSON object'],
    [
      'a nested field',
      { name: 'a', brief: { slideCount: 3.5 } },
      'brief.slideCount must be an integer from 2 to 10',
    ],
    ['an item of a list', { name: 'a', slides: [{ text: 'b' }, 1] }, 'slides[1] must be a JSON object'],
    [
      'a field of an item',
      { name: 'a', slides: [{ text: '' }] },
      'slides[0].text must be a text of 1 to 10 characters',
    ],
    ['an unknown field', { name: 'a', zzz: 1 }, 'zzz is not a known field'],
    ['controls in its name', { name: 'a', 'z\u0000\u001bz': 1 }, 'z\ufffd\ufffdz is not a known field'],
    ['a misspelt field before its absence', { nam: 'a' }, 'nam is not a known field; did you mean name?'],
    [
      'a misspelt nested field',
      { name: 'a', brief: { slidecont: 3 } },
      'brief.slidecont is not a known field; did you mean slideCount?',
    ],
    [
      'a misspelt field of an item',
      { name: 'a', slides: [{ text: 'b', txt: 1 }] },
      'slides[0].txt is not a known field; did you mean text?',
    ],
    [
      'a field that belongs elsewhere',
      { name: 'a', slideCount: 3 },
      'slideCount is not a known field; did you mean brief.slideCount?',
    ],
    [
      'a field of an item that belongs elsewhere',
      { name: 'a', brief: { text: 'b' } },
      'brief.text is not a known field; did you mean slides[].text?',
    ],
    [
      'a field named like a prototype',
      JSON.parse('{"name":"a","__proto__":{}}'),
      '__proto__ is not a known field',
    ],
    ['U+0000', { name: 'a\0b' }, 'name must not hold the character U+0000 or half of a surrogate pair'],
    [
      'half a character',
      { name: '\ud83d' },
      'name must not hold the character U+0000 or half of a surrogate pair',
    ],
  ])('names the field and says what would be right: %s', (_, value, message) => {
    expect(complaint(value)).toBe(message);
  });

  it('takes every whole character, those beyond 16 bits too', () => {
    expect(complaint({ name: '🎞é漢' })).toBe('accepted');
  });

  it('never repeats a value, which may be a secret', () => {
    const password = checker(body({ password: text(10, 20) }), 'body');
    expect(complaint({ password: 'hunter2' }, password)).not.toContain('hunter2');
  });
});

describe('the name meant by an unknown field', () => {
  const shape = { tiktokAccountId: text(1, 9), appId: text(1, 9), mode: text(1, 9), title: text(1, 9) };
  const plan = { approvalMode: text(1, 9), postingMode: text(1, 9), dayOff: text(1, 9), dayOn: text(1, 9) };
  const schedule = checker(body(shape).partial(), 'body');
  const automation = checker(body({ ...plan, dayIn: text(1, 9) }).partial(), 'body');

  it.each([
    ['accountId', 'tiktokAccountId', schedule],
    ['account_id', 'tiktokAccountId', schedule],
    ['postMode', 'mode', schedule],
    ['postTitle', 'title', schedule],
    ['postMode', 'postingMode', automation],
    ['mode', 'approvalMode or postingMode', automation],
  ])('%s: %s', (unknown, meant, checks) => {
    expect(complaint({ [unknown]: 'a' }, checks)).toBe(
      `${unknown} is not a known field; did you mean ${meant}?`,
    );
  });

  it.each(['day', '_', 'i', 'zone'])('%s: none, as nothing or too much is like it', unknown => {
    expect(complaint({ [unknown]: 'a' }, automation)).toBe(`${unknown} is not a known field`);
  });
});

describe('checker of a union', () => {
  const either = checker(z.union([body({ cron: text(1, 9) }), body({ days: integer(1, 7) })]), 'body');
  const field = checker(body({ size: z.union([integer(1, 9), oneOf(['small', 'large'])]) }), 'body');

  it.each([
    ['the option that comes closest speaks', { days: 9 }, 'days must be an integer from 1 to 7'],
    ['a field of no option', { day: 3 }, 'day is not a known field; did you mean days?'],
    ['no object at all', 5, 'body must be a JSON object'],
  ])('%s', (_, value, message) => {
    expect(complaint(value, either)).toBe(message);
  });

  it('says every form that a field may have', () => {
    expect(complaint({ size: true }, field)).toBe(
      'size must be an integer from 1 to 9 or must be one of small, large',
    );
  });
});
