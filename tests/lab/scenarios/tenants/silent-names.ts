/**
 * Imported into a service: its resolvers of names ask the server at SILENT_NAMES instead of the machine's.
 */

import promises from 'node:dns/promises';
import { syncBuiltinESMExports } from 'node:module';

const address = process.env.SILENT_NAMES ?? '';

promises.Resolver = class extends promises.Resolver {
  constructor(options?: ConstructorParameters<typeof promises.Resolver>[0]) {
    super(options);
    this.setServers([address]);
  }
};
syncBuiltinESMExports();
