/** Defects in network access. */
import { find, type Plant, podOf, settingsNamed, without } from './plant.ts';

export const networkPlants: readonly Plant[] = [
  {
    rule: 'default deny',
    defect: 'missing',
    says: /Namespace hookline has no NetworkPolicy/,
    plant: all => without(all, 'NetworkPolicy', 'default-deny'),
  },
  {
    rule: 'no way that is open to all',
    defect: 'a rule without peers',
    says: /to-redis names no peer/,
    plant: all => void delete find(all, 'NetworkPolicy', 'to-redis').spec.egress?.[0]?.to,
  },
  {
    rule: 'no way that is open to all',
    defect: "a cloud's metadata address",
    says: /to-platforms opens 169\.254\.0\.0\/16/,
    plant(all) {
      const block = find(all, 'NetworkPolicy', 'to-platforms').spec.egress?.[0]?.to?.[0]?.ipBlock;
      if (block?.except) block.except = block.except.filter(cidr => cidr !== '169.254.0.0/16');
    },
  },
  {
    rule: 'ways between services as the settings say',
    defect: 'a needed way that is shut',
    says: /scheduling-worker is told to call Deployment content-api and may not/,
    plant: all => without(all, 'NetworkPolicy', 'scheduling-to-content'),
  },
  {
    rule: 'ways between services as the settings say',
    defect: 'a way that nobody needs',
    says: /automation-worker may call Deployment content-api/,
    plant(all) {
      const labels = podOf(all, 'automation-worker').labels as Record<string, string>;
      labels['app.kubernetes.io/component'] = 'api';
      podOf(all, 'automation-worker').container.env = [];
    },
  },
  {
    rule: 'ways outside as the settings say',
    defect: 'no DNS',
    says: /gateway may not reach dns 53/,
    plant: all => without(all, 'NetworkPolicy', 'to-dns'),
  },
  {
    rule: 'ways outside as the settings say',
    defect: 'a collector that is named and cannot be reached',
    says: /gateway may not reach collector 4318/,
    plant: all => without(all, 'NetworkPolicy', 'to-collector'),
  },
  {
    rule: 'ways outside as the settings say',
    defect: 'a way to a collector that nobody names',
    says: /content-worker may reach collector 4318 for nothing/,
    plant: all => void delete settingsNamed(all, 'telemetry').OTEL_EXPORTER_OTLP_ENDPOINT,
  },
  {
    rule: 'ways outside as the settings say',
    defect: 'the internet for everybody',
    says: /migrate may reach public 443 for nothing/,
    plant: all => void Object.assign(find(all, 'NetworkPolicy', 'to-platforms').spec, { podSelector: {} }),
  },
];
