import { invalidRequest } from '@hookline/shared/contracts';
import { weaknessOf } from '../rules/weak-password.ts';

/** @throws ApiError `invalid_request` for a new password that would be guessed first */
export function refuseWeakPassword(password: string, email: string): void {
  const weakness = weaknessOf(password, email);
  if (weakness !== null) throw invalidRequest(`password ${weakness}`);
}
