/** Defects that the run must find, each in one service. */

import { plantings as postingPlantings } from '../../kit/faults/plants.ts';
import type { Service } from '../../kit/product/distributed.ts';
import type { Planting } from '../../kit/product/planted.ts';

export type Defect = { service: Service; plantings: readonly Planting[] };

const known: Record<string, Defect> = {
  /** What is called again is posted again. */
  fence: { service: 'scheduling', plantings: postingPlantings('fence') },
  /** A webhook that the receiver refused counts as delivered. */
  refused: {
    service: 'automation',
    plantings: [
      {
        file: 'src/adapters/sender.ts',
        find: 'if (status >= 200 && status < 300) return null;',
        replace: 'if (status >= 200) return null;',
      },
    ],
  },
  /** A revoked key is believed until what the gateways remember of it runs out. */
  revocation: {
    service: 'gateway',
    plantings: [
      {
        file: 'src/actions/revoke-key.ts',
        find: "await deps.admissions.revoke(row.keyHash.toString('base64url'));",
        replace: '',
      },
    ],
  },
};

/** @throws Error naming the defects there are. */
export function defectOf(name: string): Defect {
  const found = known[name];
  if (!found) throw new Error(`nothing is known to plant as "${name}", but ${Object.keys(known).join(', ')}`);
  return found;
}
