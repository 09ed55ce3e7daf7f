// Signing in through the console: this terminal shows a short code, somebody allows it there, and it gets an access token.
import type { Scope } from '../core/contract/endpoint.ts'
import type { WeirClient } from '../core/contracts.ts'
import { words } from '../core/errors.ts'
import { Cancelled, Refusal, Unreachable } from './failure.ts'
import { pause } from './signals.ts'

/** What is asked for. */
export interface Wanted {
  /** As the console shows who asks. */
  name: string
  scope: Scope
  /** Epoch seconds. */
  expired_time: number
}

interface Ways {
  /** Tells the person the code, and how many minutes it is good for. */
  tell(code: string, minutes: number): Promise<void>
  signal: AbortSignal
}

/** By how many seconds to ask more rarely where the gateway says so, or cannot be reached. */
const SLOWER = 5

/** The access token, once it was allowed. @throws Refusal device.*, Cancelled by the signal */
export async function signInByCode({ devices }: WeirClient, wanted: Wanted, { tell, signal }: Ways) {
  const { device_code, user_code, expires_in, interval } = await devices.begin(wanted)
  const end = Date.now() + expires_in * 1000
  await tell(user_code, Math.round(expires_in / 60))
  for (let wait = interval; Date.now() < end;) {
    await pause(wait * 1000, signal)
    if (signal.aborted) throw new Cancelled()
    try {
      return await devices.token({ device_code })
    } catch (error) {
      if (isSlower(error)) wait += SLOWER
      else if (!(error instanceof Refusal) || error.code !== 'device.authorization_pending') throw error
    }
  }
  throw new Refusal(
    words('Nobody allowed it in time: begin again.', '未在有效时间内获得允许：请重新开始。'),
    'device.expired_token',
  )
}

const isSlower = (error: unknown) =>
  error instanceof Unreachable ||
  (error instanceof Refusal && ['device.slow_down', 'limit.requests', 'storage.away'].includes(error.code))
