// May this caller send a body of this size? Decided before it is read: who cannot pay makes nobody wait.
import { fail } from '../errors.ts'
import { callGroup, groupRatio } from '../groups/group.ts'
import { seconds, type Clock } from '../ports/clock.ts'
import type { Storage } from '../ports/storage.ts'
import type { Settings } from '../settings/index.ts'
import { admitToken, type AskingCaller } from './admission.ts'

/** Reading and parsing so much costs next to nothing. Unit: bytes. */
const SMALL = 64 * 1024

/** What a request's head says of its body; no bytes where it does not say how many. */
export interface ToldBody {
  bytes: number | undefined
  packed: boolean
  /** Of many parts, each of which takes work. */
  form: boolean
}

/**
 * Balances are looked up for bodies only whose reading costs something; the ledger decides about every call all the same.
 * @throws GatewayError what refuses the token; quota.insufficient, key.exhausted
 */
export type AdmitBody = (caller: AskingCaller, body: ToldBody) => Promise<void> | undefined

interface Ports {
  storage: Pick<Storage, 'users' | 'tokens'>
  clock: Clock
  settings(): Settings
}

export function createAdmitBody({ storage, clock, settings }: Ports): AdmitBody {
  async function afford({ user, token, group: asked = '' }: AskingCaller): Promise<void> {
    const group = callGroup(user.group, token?.group ?? asked, settings())
    if (groupRatio(group, settings(), user.group) === 0) return
    const [owner, own] = await Promise.all([storage.users.find(user.id), token && storage.tokens.find(token.id)])
    const balance = owner?.quota ?? 0
    if (balance <= 0) fail('quota.insufficient', { balance, needed: 1 })
    if (own && !own.unlimited_quota && own.remain_quota <= 0) {
      fail('quota.token_insufficient', { balance: own.remain_quota, needed: 1 })
    }
  }
  return (caller, { bytes = Infinity, packed, form }) => {
    admitToken(caller, seconds(clock))
    return packed || form || bytes > SMALL ? afford(caller) : undefined
  }
}
