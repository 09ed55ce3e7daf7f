// A call that is paid for, and how its answer is wanted: what every step from here on is given.
import type { RequestHead } from '../dialects/head.ts'
import type { Signal } from '../ports/signal.ts'
import type { Settings } from '../settings/index.ts'
import type { Call } from './call.ts'
import type { CallHolds } from './holds.ts'

export interface PaidCall {
  call: Call
  /** What its caller asked for. */
  asked: RequestHead
  holds: CallHolds
  /** Its answer may have to be ended, so it is written anew. */
  bounded: boolean
  /** Aborted when the provider is to stop, which need not be when the caller leaves. */
  provider: Signal
  settings: Settings
}
