import { describe, expect, it } from 'vitest';
import { nextMonday, type Week, weekBefore, weekText } from './week.rules.ts';

describe('nextMonday', () => {
  it.each([
    ['2026-11-22T10:00:00Z', 'UTC', '2026-11-23T09:00:00Z'],
    ['2026-11-23T09:00:00Z', 'UTC', '2026-11-30T09:00:00Z'],
    ['2026-11-23T08:59:59Z', 'UTC', '2026-11-23T09:00:00Z'],
    ['2026-03-28T12:00:00Z', 'Europe/Berlin', '2026-03-30T07:00:00Z'],
    ['2026-10-24T12:00:00Z', 'Europe/Berlin', '2026-10-26T08:00:00Z'],
    ['2026-11-22T10:00:00Z', 'Pacific/Auckland', '2026-11-22T20:00:00Z'],
    ['2026-11-22T10:00:00Z', 'Asia/Kathmandu', '2026-11-23T03:15:00Z'],
  ])('after %s in %s it is %s', (now, zone, expected) => {
    expect(nextMonday(new Date(now), zone)).toEqual(new Date(expected));
  });
});

it('each hour is in one week, also where clocks change and a mail is late', () => {
  const timezone = 'Europe/Berlin';
  const mondays = ['03-16T08', '03-23T08', '03-30T07', '04-06T07', '10-19T07', '10-26T08', '11-02T08'].map(
    hour => new Date(`2026-${hour}:00:00Z`),
  );
  for (const lateMs of [30_000, 2 * 86_400_000, 6.9 * 86_400_000]) {
    const weeks = mondays.map(monday => weekBefore(new Date(monday.getTime() + lateMs), timezone));
    expect(weeks.map(({ until }) => until)).toEqual(mondays);
    expect([1, 2, 3, 5, 6].map(at => weeks[at]?.since)).toEqual([0, 1, 2, 4, 5].map(at => mondays[at]));
  }
});

describe('weekText', () => {
  const week: Week = {
    ...{ workspace: 'Maya.', timezone: 'Europe/Berlin', until: new Date('2026-11-23T08:00:00Z') },
    ...{ consoleUrl: 'https://h.example.com/console', posted: 5, measured: 4, views: 12_400, waiting: 2 },
    ...{ scheduled: 3, best: { hook: 'See http://evil.example.com', views: 5200 } },
    next: { of: 'archetype', value: 'listicle', lift: 1.9 },
    worse: { of: 'weekday', value: 'monday', lift: 0.6 },
  };

  it('says what was posted, what it brought, what waits and what comes next', () => {
    expect(weekText(week)).toEqual({
      subject: "Your week in 'Maya': 5 sent, 12,400 views",
      text: `What 'Maya' did from 16 November to 23 November.

Sent: 5 slideshows. 4 of them have numbers: 12,400 views so far.

Best so far: 'See http evil example com', 5,200 views.

Waiting: 2 slideshows for approval, 3 posts in the next seven days.

Next: More of what works: the structure 'listicle' got 1.9 times the views of the others.

Less of what does not: posts on Mondays got 0.6 times the views of the others.

https://h.example.com/console/numbers

You get this on Mondays as an owner. To end it:
https://h.example.com/console/settings
`,
    });
  });

  it('invents no number and no winner', () => {
    const text = weekText({ ...week, posted: 1, measured: 0, views: 0, best: null, next: null, waiting: 0 });
    expect(text?.subject).toBe("Your week in 'Maya': 1 sent");
    expect(text?.text).toContain('Sent: 1 slideshow. No numbers are known yet.');
    expect(text?.text).toContain('It is too early to say what works best');
    expect(text?.text).not.toContain('Best so far');
  });

  it.each([
    ['hook', 'Why ferns die?', "hooks like 'Why ferns die?'"],
    ['form', 'short', 'hooks of at most eight words'],
    ['archetype', 'pov_results', "the structure 'pov results'"],
    ['template', 'photo-card', "the template 'photo card'"],
    ['language', 'pt-BR', 'slideshows in Brazilian Portuguese'],
    ['weekday', 'monday', 'posts on Mondays'],
    ['hour', '18', 'posts between 18:00 and 18:59'],
  ] as const)('names what works by the %s %s as people do', (of, value, words) => {
    const text = weekText({ ...week, next: { of, value, lift: 1.9 } })?.text;
    expect(text).toContain(`More of what works: ${words} got 1.9 times the views of the others.`);
  });

  it.each([
    [{ posted: 1, measured: 1, views: 300 }, '1 slideshow. It has 300 views so far.'],
    [{ posted: 5, measured: 5 }, '5 slideshows. Together they have 12,400 views so far.'],
    [{ posted: 1200, measured: 1 }, '1,200 slideshows. 1 of them has numbers: 12,400 views so far.'],
    [{ posted: 0, measured: 0 }, 'no slideshows.\n'],
  ])('counts %j in a sentence', (change, words) => {
    expect(weekText({ ...week, ...change })?.text).toContain(`Sent: ${words}`);
  });

  it.each([
    ['Was $12.50, is $4.99.', 'Was $12.50, is $4.99'],
    ['4.8 stars at evil.example/4.8', '4.8 stars at evil example/4.8'],
    ['http://10.0.0.1 and 1.2.example', 'http 10 0 0 1 and 1.2 example'],
  ])('names the hook %s with its decimals and without what is a link', (hook, shown) => {
    expect(weekText({ ...week, best: { hook, views: 5200 } })?.text).toContain(`'${shown}', 5,200 views`);
  });

  it('keeps numbers behind an Arabic or Hebrew name in their place, and marks what is cut', () => {
    const name = 'مايا';
    const mail = weekText({ ...week, workspace: name, best: { hook: 'ו'.repeat(80), views: 5200 } });
    expect(mail?.subject).toBe(`Your week in \u2068'${name}'\u2069: 5 sent, 12,400 views`);
    expect(mail?.text).toContain(`\u2068'${'ו'.repeat(59)}…'\u2069, 5,200 views`);
    expect(weekText({ ...week, posted: 0, measured: 0 })?.subject).toBe("Your week in 'Maya': nothing sent");
  });

  it('is none where nothing was posted and nothing waits', () => {
    expect(weekText({ ...week, posted: 0, waiting: 0, scheduled: 0 })).toBeNull();
  });
});
