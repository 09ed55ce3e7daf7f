// May this caller send a body of this size? Decided before it is read: nobody waits for the body of a caller who cannot pay.
import { callGroup, groupRatio } from '../groups/group.ts'
import { seconds, type Clock } from '../ports/clock.ts'
import { refuseDebt } from '../quota/debt.ts'
import type { Ledger } from '../quota/ledger.ts'
import type { Settings } from '../settings/index.ts'
import { admitToken, type CallerIdentity } from './admission.ts'
import { findPayer } from './paying-account.ts'

/** Reading and parsing so much costs next to nothing. Unit: bytes. */
const SMALL = 64 * 1024

/** What a request's head says of its body; no bytes where it does not say how many. */
export interface DeclaredBody {
  bytes: number | undefined
  packed: boolean
  /** Of many parts, each of which takes work. */
  form: boolean
}

/**
 * Balances are looked up for bodies only whose reading costs something; the ledger decides about every call all the same.
 * @throws GatewayError what refuses the token; quota.insufficient, key.exhausted, quota.owes, quota.team_owes
 */
export type AdmitBody = (caller: CallerIdentity, body: DeclaredBody) => Promise<void> | undefined

interface Ports {
  ledger: Pick<Ledger, 'refuseEmpty'>
  clock: Clock
  settings(): Settings
}

export function createAdmitBody({ ledger, clock, settings }: Ports): AdmitBody {
  function refusePoor({ user, token, group: asked = '' }: CallerIdentity): Promise<void> | undefined {
    const group = callGroup(user.group, token?.group ?? asked, settings())
    return groupRatio(group, settings(), user.group) === 0 ? undefined : ledger.refuseEmpty(findPayer({ user, token }))
  }
  return (caller, { bytes = Infinity, packed, form }) => {
    admitToken(caller, seconds(clock))
    refuseDebt(caller.debt)
    return packed || form || bytes > SMALL ? refusePoor(caller) : undefined
  }
}
