import { describe, expect, it } from 'vitest';
import { type Schema, sdkModel } from './model.ts';
import { pythonResources, pythonTypes } from './python.ts';
import { typescriptResources, typescriptTypes } from './typescript.ts';

const model = sdkModel();

describe('the model of the clients', () => {
  it('gives each operation a method of its own, with a name without capitals at its start', () => {
    const methods = model.operations.map(
      ({ isForKeys, resource, method }) => `${isForKeys} ${resource}.${method}`,
    );
    expect([...new Set(methods)]).toEqual(methods);
    for (const method of methods) expect(method).toMatch(/^(true|false) [a-z]+\.[a-z][A-Za-z]*$/);
  });

  it('has a named record for each answer, or null', () => {
    for (const { contract, answers } of model.operations) {
      if (contract.produces) continue;
      const [record = answers.schema] = answers.schema.anyOf ?? [];
      expect([contract.id, record.$ref]).toEqual([
        contract.id,
        expect.stringMatching(/^#\/components\/schemas\/\w+$/),
      ]);
    }
  });
});

describe('what is made of a route', () => {
  const time: Schema = { type: 'string', description: 'From this time on.' };
  const route = model.operations.find(({ contract }) => contract.id === 'getCredits');
  if (!route) throw new Error('getCredits is gone');
  const query = ['from', 'dryRun'].map(name => ({
    ...{ name, in: 'query' as const, required: false },
    schema: name === 'dryRun' ? { type: 'string', enum: ['true', 'false'] } : time,
  }));
  const one = { schemas: model.schemas, operations: [{ ...route, query }] };

  it('is named as the language can name it, and sent as the API names it', () => {
    const python = pythonResources(one);
    expect(python).toContain('from_: str | NotGiven = NOT_GIVEN,');
    expect(python).toContain('dry_run: bool | NotGiven = NOT_GIVEN,');
    expect(python).toContain('query={"from": from_, "dryRun": dry_run},');
    const typescript = typescriptResources(one);
    expect(typescript).toContain('get(query: GetCreditsQuery = {}, options: CallOptions = {})');
    expect(typescriptTypes(one)).toContain('dryRun?: boolean | undefined;');
  });

  it('imports what it uses and nothing else', () => {
    expect(typescriptResources(one)).toContain('import type {\n  Credits,\n  GetCreditsQuery,\n}');
    expect(pythonTypes(one)).toContain('class CreditsDailyGeneration(TypedDict):');
  });
});
