/** What tests outside of the service use of its inside. */
export { insertUser } from '../src/queries/users.ts';
