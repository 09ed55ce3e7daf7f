// May the caller of a connection that stays open still have it? Asked anew whenever their user or token changes, here or
// in another process, and once the token's time is over: a right holds from call to call.
import type { CallerCache } from '../../auth/caller-cache.ts'
import { fail } from '../../errors.ts'
import { seconds, type Clock } from '../../ports/clock.ts'
import type { Change, Storage } from '../../ports/storage.ts'
import { isExpired, presentKey } from '../../tokens/token.ts'
import type { CallCaller } from '../call.ts'

export interface SessionAccess {
  /** Rejects with what a new call would be refused with. */
  lost: Promise<never>
  unwatch(): void
}

/** Asks `check` at once, and again at every change until nobody watches any more; what it throws is the refusal. */
export type WatchSessionAccess = (caller: CallCaller, check: (caller: CallCaller) => void) => SessionAccess

interface Ports {
  storage: Pick<Storage, 'onChange'>
  callers: CallerCache
  clock: Clock
}

interface Watched {
  /** As they were known last. */
  caller: CallCaller
  check(caller: CallCaller): void
  refuse(why: unknown): void
}

const EXPIRY_CHECK_MS = 1000

/** `callers` must have been made before: at a change it forgets first, then it is asked here. */
export function createSessionAccess({ storage, callers, clock }: Ports): WatchSessionAccess {
  const watched = new Set<Watched>()
  let stopTimer: (() => void) | undefined

  /** Never rejects: whose access cannot be told has none. */
  async function ask(one: Watched): Promise<void> {
    try {
      const found = (await callers.find(presentKey(one.caller.token?.key ?? ''))) ?? fail('key.unknown')
      one.caller = { ...one.caller, ...found }
      one.check(one.caller)
    } catch (error) {
      one.refuse(error)
      leave(one)
    }
  }

  async function askThose(concerned: (caller: CallCaller) => boolean): Promise<void> {
    await Promise.all([...watched].filter(({ caller }) => concerned(caller)).map(ask))
  }

  const expired = () => void askThose(({ token }) => token !== null && isExpired(token, seconds(clock)))

  function leave(one: Watched): void {
    watched.delete(one)
    if (watched.size > 0) return
    stopTimer?.()
    stopTimer = undefined
  }

  storage.onChange(({ topic, id }: Change) => {
    if (topic !== 'users' && topic !== 'tokens') return
    return askThose(({ user, token }) => id === 0 || id === (topic === 'users' ? user : token)?.id)
  })

  return (caller, check) => {
    let refuse!: Watched['refuse']
    const lost = new Promise<never>((_, reject) => (refuse = reject))
    const one = { caller, check, refuse }
    watched.add(one)
    stopTimer ??= clock.every(EXPIRY_CHECK_MS, expired)
    void ask(one)
    return { lost, unwatch: () => leave(one) }
  }
}
