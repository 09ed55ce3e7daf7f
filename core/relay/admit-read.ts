// Admits reads of paid objects: stored responses, tasks and their files. Key, address and user must be valid, and reads
// have a rate limit; no balance is needed.
import type { ApiLimits } from '../limits/api-rate.ts'
import { seconds, type Clock } from '../ports/clock.ts'
import { admitToken, type CallerIdentity } from './admission.ts'

export interface ReadPorts {
  limits: Pick<ApiLimits, 'count'>
  clock: Clock
}

/** @throws GatewayError any refusal of the token or its user; limit.requests if the user reads too often */
export async function admitReadRequest(caller: CallerIdentity, { limits, clock }: ReadPorts): Promise<void> {
  admitToken(caller, seconds(clock))
  await countReadRequest(caller.user.id, { limits })
}

/**
 * Counts a read of a user whose permission was checked elsewhere.
 * @throws GatewayError limit.requests
 */
export const countReadRequest = (userId: number, { limits }: Pick<ReadPorts, 'limits'>): Promise<void> =>
  limits.count('reads', `user:${userId}`)
