import { expect, it } from 'vitest';
import { itemsOfList, textOfList } from '../src/list.ts';

const appId = 'product_1';
const item = { appId, type: 'slideshow' };

it('a line of field names makes a row of CSV an item, with quotes, several lines and own fields', () => {
  const csv = [
    '\ufefftopic,slideCount,hook,slides,externalId,metadata.sheet,hashtags',
    'sleep,5,,,row-1,"may, first",#a #b',
    '',
    ',,"He said ""go""","One\nTwo",,,',
  ].join('\r\n');
  expect(itemsOfList(csv, { appId, templateId: 'quote-card' })).toEqual([
    {
      ...item,
      externalId: 'row-1',
      metadata: { sheet: 'may, first' },
      brief: { templateId: 'quote-card', topic: 'sleep', slideCount: 5, hashtags: ['#a', '#b'] },
    },
    {
      ...item,
      brief: { templateId: 'quote-card', hook: 'He said "go"', slides: [{ text: 'One' }, { text: 'Two' }] },
    },
  ]);
});

it.each([';', '\t'])('cells apart by %j, as spreadsheets write them', mark => {
  expect(itemsOfList(`appId${mark}topic\nproduct_2${mark}sleep, deep`, { appId })).toEqual([
    { appId: 'product_2', type: 'slideshow', brief: { topic: 'sleep, deep' } },
  ]);
});

it.each(['utf8', 'latin1', 'utf16le'] as const)(
  'the text of a file in %s, as spreadsheets save it',
  encoding => {
    const text = 'topic;slideCount\nFarne für Anfänger;3\n';
    const mark = encoding === 'latin1' ? '' : '\ufeff';
    expect(textOfList(Buffer.from(mark + text, encoding))).toBe(text);
  },
);

it('field names are known in capitals too, as people write the head of a table', () => {
  expect(itemsOfList('Topic;Slidecount;metadata.Sheet\nsleep;5;May', { appId })).toEqual([
    { ...item, metadata: { Sheet: 'May' }, brief: { topic: 'sleep', slideCount: 5 } },
  ]);
});

it('lines without field names are topics, and a JSON list is briefs', () => {
  const topics = [
    { ...item, brief: { topic: 'sleep, and why' } },
    { ...item, brief: { topic: 'light' } },
  ];
  expect(itemsOfList('sleep, and why\n\n light \n', { appId })).toEqual(topics);
  expect(itemsOfList('[{"topic":"sleep, and why"},{"topic":"light"}]', { appId })).toEqual(topics);
});

it('an unknown field is left for the API to name', () => {
  expect(itemsOfList('topic,colour\nsleep,red', { appId })).toEqual([
    { ...item, brief: { topic: 'sleep', colour: 'red' } },
  ]);
});

it('a number that is none is left for the API to refuse: as null it would not be given', () => {
  expect(itemsOfList('topic,slideCount\nsleep,five\nlight,1e999', { appId })).toEqual([
    { ...item, brief: { topic: 'sleep', slideCount: 'five' } },
    { ...item, brief: { topic: 'light', slideCount: '1e999' } },
  ]);
});

it('a cell beyond the field names is left to be refused: a comma without quotes cuts no text short', () => {
  expect(itemsOfList('topic\nmorning, noon', { appId })).toEqual([
    { ...item, brief: { topic: 'morning', 'column 2': 'noon' } },
  ]);
});
