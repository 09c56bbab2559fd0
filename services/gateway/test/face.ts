/** Internals that tests outside the service use. */
export { insertUser } from '../src/queries/users.ts';
