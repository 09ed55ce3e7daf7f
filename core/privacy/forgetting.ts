// Erases a user: names, addresses and secrets at once, rows of the log in steps. Entries of the ledger stay, under the
// number of an account without an owner.
import type { HandlerContext } from '../auth/caller.ts'
import { requireRecentAuthentication } from '../auth/second-factors.ts'
import type { ExpiredRows } from '../logs/log.ts'
import { fail } from '../errors.ts'
import type { CleanUp } from '../logs/clean-up.ts'
import { seconds } from '../ports/clock.ts'
import { deregisterUser, type AccountPorts } from '../users/account.ts'
import { auditUserChange } from '../users/administration.ts'
import { isCallerAbove } from '../users/authority.ts'
import { isRoot } from '../users/user.ts'

const DAY = 86_400
/** Data that running calls and rows being moved write after the request is erased for this long, in seconds. */
const SETTLING = DAY

export interface ForgettingPorts extends AccountPorts {
  cleanUp: CleanUp
}

/** Times in epoch seconds; 0 if not requested, or not done. */
export interface ForgettingState {
  asked_at: number
  done_at: number
  /** Number of the user's rows that are still in the log. */
  left: number
}

/** Selects all rows of a user, of any time. */
const selectAllRows = (user_id: number, now: number): ExpiredRows => ({ before: now + DAY, user_id })

export async function getForgettingState({ storage, clock }: ForgettingPorts, id: number): Promise<ForgettingState> {
  const found = await storage.privacy.find(id)
  if (!found) return { asked_at: 0, done_at: 0, left: 0 }
  const { rows } = await storage.logs.extent(selectAllRows(id, seconds(clock)))
  return { asked_at: found.asked_at, done_at: found.done_at ?? 0, left: rows }
}

/**
 * Deletes the user if needed, and erases their data for good.
 * @throws GatewayError user.missing, user.edit_denied, user.root_delete, user.owns_team, access.step_up
 */
export async function forgetUserData(ports: ForgettingPorts, id: number, context: HandlerContext): Promise<void> {
  const { storage, settings, clock } = ports
  const target = (await storage.users.find(id)) ?? fail('user.missing')
  if (!isCallerAbove(context.caller, target.role)) fail('user.edit_denied')
  if (isRoot(target)) fail('user.root_delete')
  requireRecentAuthentication(context, settings().StepUpMinutes, seconds(clock))
  const now = seconds(clock)
  await storage.transaction(async (within) => {
    if (target.DeletedAt === null) await deregisterUser(within, target, now)
    await within.privacy.forget(target, now)
    await auditUserChange(ports, within, context.caller, 'user.forget', target, '', '')
  })
  await storage.announce({ topic: 'users', id })
  await storage.announce({ topic: 'tokens', id: 0 })
}

/** Continues all erasures. Safe to repeat and to interrupt. */
export async function continueAllErasures({ storage, clock, cleanUp }: ForgettingPorts): Promise<void> {
  for (const { user_id, asked_at } of await storage.privacy.pending()) {
    const now = seconds(clock)
    // A clean-up that removes old rows has precedence.
    if ((await cleanUp.start([selectAllRows(user_id, now)])) === null) return
    await storage.privacy.forgetAgain(user_id)
    if (now - asked_at >= SETTLING) await storage.privacy.done(user_id, now)
  }
}
