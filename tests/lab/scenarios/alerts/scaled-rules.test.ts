import { describe, expect, it } from 'vitest';
import { listRules } from '../../../../tools/alerts/rules.ts';
import { scaleDuration, scaleRule } from './scaled-rules.ts';

describe('rules with a minute made a second', () => {
  it.each([
    ['1m', '1000ms'],
    ['5m', '5000ms'],
    ['3d', '4320000ms'],
    ['15s', '250ms'],
  ])('%s becomes %s', (text, scaled) => {
    expect(scaleDuration(text)).toBe(scaled);
  });

  it('scales ages too, and leaves factors and durations of requests alone', () => {
    expect(scaleRule({ expr: 'max(hookline_outbox_age_seconds) > 60' }).expr).toBe(
      'max(hookline_outbox_age_seconds) > 1',
    );
    const burn = 'hookline:api_errors:ratio_rate1h > 14.4 * 0.001';
    expect(scaleRule({ expr: burn }).expr).toBe(burn);
    const slow = 'histogram_quantile(0.99, rate(http_server_request_duration_seconds_bucket[5m])) > 5';
    expect(scaleRule({ expr: slow }).expr).toBe(slow.replace('5m', '5000ms'));
  });

  it('leaves no window of a rule as it was', () => {
    const scaled = listRules().map(scaleRule);
    expect(scaled.filter(({ expr }) => /\[\d+[smhd]\]/.test(expr))).toEqual([]);
    expect(scaled.filter(rule => rule.for !== undefined && !rule.for.endsWith('ms'))).toEqual([]);
  });
});
