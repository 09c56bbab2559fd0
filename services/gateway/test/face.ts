/** Internals that tests outside the service use. */
export { insertUser } from '../src/identity/users/queries.ts';
