// A way of misbehaving, and what has to come of it.
import type { Behaviour } from './wire.ts'

/** What comes of a call. */
export interface Outcome {
  /** `whole`, `cut` (what came, then an error frame), `refused`, or `nothing` until the caller leaves. */
  sees: 'whole' | 'cut' | 'refused' | 'nothing'
  /** Of the answer; 0 for none. */
  status: number
  /** The error's code, as the caller reads it. */
  code?: string | number | null
  /** The provider's report, our own count, a report cut to what is possible, or nothing. */
  charged: 'report' | 'estimate' | 'cut report' | 'nothing'
}

export interface Fault {
  name: string
  /** Absent: nobody listens at all. */
  behave?: Behaviour
  /** With one channel. */
  stream: Outcome
  plain: Outcome
  /** With two healthy channels behind it: is the call served by one of them? */
  rescued: { stream: boolean; plain: boolean }
  /** What a whole answer says, where it is not the usual text. */
  text?: string
  /** It takes more than the limits of the other rows. */
  slow?: boolean
  /** The channel afterwards. */
  channel: 'on' | 'cooling' | 'off'
}

export const whole = (charged: Outcome['charged'] = 'report'): Outcome => ({ sees: 'whole', status: 200, charged })
export const cut = (code: Outcome['code']): Outcome => ({ sees: 'cut', status: 200, code, charged: 'estimate' })
export const refused = (status: number, code: Outcome['code']): Outcome => ({
  sees: 'refused',
  status,
  code,
  charged: 'nothing',
})

/** Plain answers have no time limit of their own while bytes come, or before the head: the caller decides. */
export const WAITS: Outcome = { sees: 'nothing', status: 0, charged: 'nothing' }

export const UNREACHABLE = refused(500, 'do_request_failed')
export const BROKEN = refused(502, 'bad_response')
export const UNREADABLE = refused(502, 'bad_response_body')
export const SILENT = refused(504, 'upstream_timeout')

type Options = Partial<Pick<Fault, 'channel' | 'slow' | 'text'>> & { rescued?: boolean | Fault['rescued'] }

/** A fault before the first content: nothing is charged and another channel may help. */
export function failing(name: string, outcome: Outcome, behave?: Behaviour, options: Options = {}): Fault {
  return fault(name, { stream: outcome, plain: outcome }, behave, { rescued: true, ...options })
}

export function fault(
  name: string,
  outcomes: Pick<Fault, 'stream' | 'plain'>,
  behave?: Behaviour,
  { rescued = false, channel = 'on', ...more }: Options = {},
): Fault {
  const both = typeof rescued === 'boolean' ? { stream: rescued, plain: rescued } : rescued
  return { name, ...(behave ? { behave } : {}), ...outcomes, rescued: both, channel, ...more }
}

/** What a stream has begun cannot be taken back; a plain answer is not begun before it is whole. */
export const midway = (
  name: string,
  stream: Outcome,
  plain: Outcome,
  behave: Behaviour,
  options: Options = {},
): Fault => fault(name, { stream, plain }, behave, { rescued: { stream: false, plain: true }, ...options })

export const harmless = (name: string, behave: Behaviour, charged: Outcome['charged'] = 'report'): Fault =>
  fault(name, { stream: whole(charged), plain: whole(charged) }, behave)
