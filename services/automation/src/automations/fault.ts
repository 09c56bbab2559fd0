import { ApiError } from '@hookline/shared/contracts';
import { Brief } from '@hookline/shared/contracts/brief';
import { isTimezone } from '@hookline/shared/contracts/timezone';
import { checker } from '@hookline/shared/kernel';
import type { PostingPlan } from '@hookline/shared/kernel/posting-times';
import { z } from 'zod';

const checkBrief = checker(z.object({ brief: Brief.nullable() }), 'automation');

/**
 * A stored automation was validated, but a runtime with older time zone data, or a stricter version of the
 * brief, may refuse it. @returns the reason, as a message that names the field, or null
 */
export function findFault({
  timezone,
  brief,
}: Pick<PostingPlan, 'timezone'> & { brief: unknown }): string | null {
  if (!isTimezone(timezone)) return 'timezone is not known to this version';
  try {
    checkBrief({ brief });
    return null;
  } catch (error) {
    if (error instanceof ApiError) return error.message;
    throw error;
  }
}

export function setAsideReason(fault: string | null): string {
  const why = fault ?? 'internal_error, the slot could not be settled';
  return `set_aside: ${why}; change the automation to arm it again`;
}
