/** Usage of the limits, from the headers of every answer. */
import { type Fields, fieldsOf, parseFields } from '@hookline/shared/http';

export type Usage = {
  /** Percent of the account's rolling 24 h limit. */
  percent: number;
  /** Percent of the whole app's limit. */
  appPercent: number;
  /** Minutes until the account may call again; 0: now. */
  regainMinutes: number;
};

type Headers = Record<string, string | string[] | undefined>;

export function readUsage(headers: Headers): Usage {
  const accounts = Object.values(jsonHeader(headers, 'x-business-use-case-usage')).flat().map(fieldsOf);
  const app = jsonHeader(headers, 'x-app-usage');
  return {
    percent: Math.max(0, ...accounts.map(highest)),
    appPercent: highest(app),
    regainMinutes: Math.max(0, ...accounts.map(usage => numberOf(usage.estimated_time_to_regain_access))),
  };
}

function highest(usage: Fields): number {
  return Math.max(...['call_count', 'total_cputime', 'total_time'].map(name => numberOf(usage[name])));
}

function numberOf(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : 0;
}

function jsonHeader(headers: Headers, name: string): Fields {
  const value = headers[name];
  return (typeof value === 'string' ? parseFields(value) : null) ?? {};
}
