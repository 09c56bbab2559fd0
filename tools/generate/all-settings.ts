/** Every setting of the product: the shared ones, and those that each service declares. */
import { analyticsSettings } from '@hookline/analytics/settings';
import { automationSettings } from '@hookline/automation/settings';
import { contentSettings } from '@hookline/content/settings';
import { gatewaySettings } from '@hookline/gateway/settings';
import { schedulingSettings } from '@hookline/scheduling/settings';
import { type SettingTable, settings } from '@hookline/shared/kernel';

export const allSettings: SettingTable = {
  ...settings,
  ...gatewaySettings,
  ...contentSettings,
  ...schedulingSettings,
  ...automationSettings,
  ...analyticsSettings,
};
