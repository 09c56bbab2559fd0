import { forms, pickSettings, type SettingTable } from '@hookline/shared/kernel';
import { z } from 'zod';

function httpOrigins() {
  const error = 'must be origins with commas, such as https://console.example.com: no path, no *';
  return forms
    .commaList()
    .refine(
      list =>
        list.every(item => /^https?:/.test(item) && URL.canParse(item) && new URL(item).origin === item),
      { error },
    );
}

/** Settings of the service, in addition to the common ones. */
export const gatewaySettings = {
  ...pickSettings('PUBLIC_URL', 'REDIS_URL', 'LLM_BUDGET_SECONDS'),
  TRUSTED_PROXIES: {
    schema: forms.commaList(),
    default: '',
    about: 'Addresses whose `X-Forwarded-For` is believed; none by default.',
  },
  CORS_ORIGINS: {
    schema: httpOrigins(),
    default: '',
    about:
      'Origins whose web pages may call the API from a browser, exact, with commas; none by default. No cookies are ever involved.',
  },
  GATEWAY_REPLICAS: {
    schema: forms.count(1, 1000),
    default: '1',
    about: 'How many gateways share the limits when Redis is down.',
  },
  OIDC_ISSUER: {
    schema: forms.url('https, http'),
    about: 'OIDC issuer whose JWTs are accepted as sessions.',
  },
  OIDC_AUDIENCE: { schema: z.string().min(1), about: 'Audience that those JWTs must name.' },
  LIMIT_PER_IP: {
    schema: forms.count(1, 1_000_000),
    default: '300',
    about: 'Requests a minute per IP address; another value is for load tests and prints a warning.',
  },
  LIMIT_PER_KEY: {
    schema: forms.count(1, 1_000_000),
    default: '120',
    about: 'Requests a minute per key; another value is for load tests and prints a warning.',
  },
  LIMIT_CONTENT_PER_KEY: {
    schema: forms.count(1, 1_000_000),
    default: '10',
    about: '`POST /content` a minute per key; another value is for load tests and prints a warning.',
  },
  LIMIT_KEYS: {
    schema: forms.count(1, 1_000_000),
    default: '50',
    about: 'Live API keys of an account; another value is for load tests and prints a warning.',
  },
} as const satisfies SettingTable;
