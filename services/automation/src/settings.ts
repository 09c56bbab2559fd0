import { forms, pickSettings, type SettingTable } from '@hookline/shared/kernel';

export const automationSettings = {
  ...pickSettings('PUBLIC_URL', 'ENCRYPTION_KEYS', 'MEDIA_SIGNING_KEY', 'EVENT_RETENTION_DAYS'),
  WEBHOOK_ALLOW_TARGETS: {
    schema: forms.hostPorts(),
    default: '',
    about:
      'Comma-separated host:port list that the address filter lets through, and for which http is accepted. Only for tests on loopback.',
  },
} as const satisfies SettingTable;
