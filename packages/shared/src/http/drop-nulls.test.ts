import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { CreateAutomationBody } from '../contracts/automations.ts';
import { CreateContentBody } from '../contracts/content.ts';
import { timestampInput } from '../contracts/fields.ts';
import { nullDropper } from './drop-nulls.ts';

function dropped(schema: z.ZodType, value: unknown): unknown {
  const copy = structuredClone(value);
  nullDropper(schema)?.(copy);
  return copy;
}

describe('nullDropper', () => {
  it('removes the null of an optional field, at any depth', () => {
    const given = { appId: 'a', type: 'slideshow', brief: { templateId: null, slideCount: 3 } };
    expect(dropped(CreateContentBody, given)).toEqual({
      appId: 'a',
      type: 'slideshow',
      brief: { slideCount: 3 },
    });
    expect(dropped(CreateContentBody, { ...given, brief: null })).toEqual({ appId: 'a', type: 'slideshow' });
    const list = z.object({ items: z.array(z.object({ note: z.string().optional() })) });
    expect(dropped(list, { items: [{ note: null }, null, { note: 'x' }] })).toEqual({
      items: [{}, null, { note: 'x' }],
    });
  });

  it('of a transformed field too', () => {
    expect(dropped(z.object({ at: timestampInput().optional() }), { at: null })).toEqual({});
  });

  it('keeps the null of a required field, of one that may be null and of one that nobody knows', () => {
    const schema = z.object({ a: z.string(), b: z.string().nullable().optional() });
    const given = { a: null, b: null, c: null };
    expect(dropped(schema, given)).toEqual(given);
    expect(dropped(CreateAutomationBody, { appId: null })).toEqual({ appId: null });
  });

  it('leaves anything but an object alone', () => {
    for (const value of [null, undefined, 7, 'text', [null]])
      expect(dropped(CreateContentBody, value)).toEqual(value);
  });

  it('is nothing for a schema without optional fields', () => {
    expect(nullDropper(z.object({ a: z.string() }))).toBeNull();
  });
});
