/** Defects that the run must find, each in one service. */

import { fenceOff } from '../../kit/faults/plants.ts';
import type { Service } from '../../kit/product/distributed.ts';
import type { Planting } from '../../kit/product/planted.ts';

export type Defect = { service: Service; plantings: readonly Planting[] };

export type DefectName = 'fence' | 'refused' | 'revocation';

export const defects: Record<DefectName, Defect> = {
  /** A repeated call posts again. */
  fence: { service: 'scheduling', plantings: fenceOff },
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
  /** A revoked key is accepted until the gateways' cache of it expires. */
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
