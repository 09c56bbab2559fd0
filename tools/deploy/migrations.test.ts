import { describe, expect, it } from 'vitest';
import { judge } from './migrations.ts';

const finding = {
  file: 'services/content/migrations/0009_x.sql',
  line: 3,
  rule: 'ban-drop-column',
  message: 'No.',
};
const exception = { file: finding.file, rules: [finding.rule], why: 'a reason' };

describe('judge', () => {
  it('tells what no exception is made for', () => {
    expect(judge([finding], [])).toEqual([expect.stringMatching(/0009_x\.sql:3: ban-drop-column: No\./)]);
    expect(judge([finding], [{ ...exception, rules: ['renaming-table'] }])).toHaveLength(2);
    expect(judge([finding], [{ ...exception, file: 'services/content/migrations/0008_y.sql' }])).toHaveLength(
      2,
    );
  });

  it('passes over what one is made for', () => {
    expect(judge([finding], [exception])).toEqual([]);
  });

  it('tells an exception that nothing needs', () => {
    expect(judge([], [exception])).toEqual([
      `${finding.file}: its exception from ban-drop-column is for nothing`,
    ]);
  });
});
