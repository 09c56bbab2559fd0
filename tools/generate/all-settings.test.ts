import { analyticsSettings } from '@hookline/analytics/settings';
import { automationSettings } from '@hookline/automation/settings';
import { contentSettings } from '@hookline/content/settings';
import { gatewaySettings } from '@hookline/gateway/settings';
import { schedulingSettings } from '@hookline/scheduling/settings';
import { loadSettings, type SettingTable, settings } from '@hookline/shared/kernel';
import { describe, expect, it } from 'vitest';
import { allSettings } from './all-settings.ts';

const tables: SettingTable[] = [
  settings,
  gatewaySettings,
  contentSettings,
  schedulingSettings,
  automationSettings,
  analyticsSettings,
];

describe('settings', () => {
  it('every default fits its own schema', () => {
    expect(() => loadSettings(allSettings, {})).not.toThrow();
  });

  it('are declared once', () => {
    for (const table of tables)
      for (const [name, setting] of Object.entries(table)) expect(setting, name).toBe(allSettings[name]);
  });
});
