import { expect, it } from 'vitest';
import { fieldErrors } from './field-error.ts';

const labels = { 'brief.hook': 'Hook', 'brief.slides': 'Slides', app: 'App' };
const errorsOf = (param: string, said: string) => fieldErrors({ message: `${param} ${said}`, param }, labels);

it('a refusal of a field is told there, with the label of the field', () => {
  expect(errorsOf('brief.hook', 'must not be blank')).toEqual({ 'brief.hook': 'Hook must not be blank' });
});

it('a refusal of one of several says which', () => {
  expect(errorsOf('brief.slides[2].text', 'must not be blank')).toEqual({
    'brief.slides': 'Slides 3 must not be blank',
  });
});

it('a refusal of no field of the form is told at none', () => {
  expect(errorsOf('brief.topic', 'must be left out')).toEqual({});
  expect(errorsOf('appId', 'must be an id')).toEqual({});
  expect(fieldErrors(new Error('Retry later.'), labels)).toEqual({});
  expect(fieldErrors(null, labels)).toEqual({});
});
