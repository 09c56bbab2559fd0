import { forms, pickSettings, type SettingTable } from '@hookline/shared/kernel';

function hostPorts() {
  const error = 'must be host:port with commas, such as 127.0.0.1:3000, [::1]:3000 or localhost:3000';
  const form = /^(?:[\w.-]+|\[[\da-f:.]+\]):(\d{1,5})$/i;
  const isHostPort = (item: string): boolean => {
    const port = Number(form.exec(item)?.[1] ?? 0);
    return port >= 1 && port <= 65_535;
  };
  return forms.commaList().refine(list => list.every(isHostPort), { error });
}

export const automationSettings = {
  ...pickSettings('PUBLIC_URL', 'ENCRYPTION_KEYS', 'MEDIA_SIGNING_KEY', 'EVENT_RETENTION_DAYS'),
  WEBHOOK_ALLOW_TARGETS: {
    schema: hostPorts(),
    default: '',
    about:
      'Comma-separated host:port list that the address filter lets through, and for which http is accepted. Only for tests on loopback.',
  },
} as const satisfies SettingTable;
