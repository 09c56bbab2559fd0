/**
 * Bounded password hashing: each hash takes 19 MiB and about 20 ms of a thread shared with DNS and file
 * access.
 */
import { rateLimited } from '@hookline/shared/contracts';

export type Passwords = {
  /** argon2id with 19 MiB, 2 passes, 1 lane. */
  hash(password: string): Promise<string>;
  /**
   * Takes the same time when there is no hash to compare with, so timing does not reveal whether a user
   * exists.
   */
  matches(password: string, passwordHash: string | null): Promise<boolean>;
  /** True for a hash made with other parameters than `hash` uses now. */
  isOutdated(passwordHash: string): boolean;
};

// The first of the settings that OWASP recommends for argon2id; named here, so that a library's
// default cannot change them.
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const currentHash = /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/;

// Loaded with the first password.
async function hash(password: string): Promise<string> {
  const argon2 = await import('@node-rs/argon2');
  return await argon2.hash(password, parameters);
}

async function verify(passwordHash: string, password: string): Promise<boolean> {
  const argon2 = await import('@node-rs/argon2');
  return await argon2.verify(passwordHash, password);
}

const atOnceMax = 2;
const waitingMax = 100;

export function createPasswords(): Passwords {
  const waiting: (() => void)[] = [];
  let running = 0;
  // The hash to compare with when there is no user. Created on first use.
  let decoy: Promise<string> | undefined;

  async function bounded<T>(work: () => Promise<T>): Promise<T> {
    if (running >= atOnceMax) {
      // Not 503, which a sign-in that has counted its attempt answers as an unknown outcome.
      if (waiting.length >= waitingMax) throw rateLimited(2);
      // A finished task hands its slot to the next one, so `running` does not change.
      await new Promise<void>(resolve => waiting.push(resolve));
    } else running += 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  }

  return {
    hash: password => bounded(() => hash(password.normalize('NFKC'))),
    async matches(password, passwordHash) {
      decoy ??= hash('no password of anybody');
      // Handled where it is awaited; a failure is not kept, so that unknown people are not told apart by it.
      decoy.catch(() => {
        decoy = undefined;
      });
      const compared = passwordHash ?? (await decoy);
      const isEqual = await bounded(() => verify(compared, password.normalize('NFKC')));
      return isEqual && passwordHash !== null;
    },
    isOutdated: passwordHash => !currentHash.test(passwordHash),
  };
}
