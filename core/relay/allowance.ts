// How far a stream may go that is held for in steps: each step is paid before it is passed on.
import type { Usage } from '../dialects/usage.ts'
import { knownUsage } from '../dialects/passing.ts'
import { GatewayError } from '../errors.ts'
import type { Settings } from '../settings/index.ts'
import type { Call } from './call.ts'
import type { Holds } from './holds.ts'
import type { Turn } from './models.ts'
import type { Said } from './said.ts'
import { expectedCostOf, STEP } from './strict-hold.ts'

const LF = 10

/** What an answer comes to that has said so much, in quota units; `usage` is what was reported so far. */
export function costSoFar(
  call: Call,
  { head, admission }: Turn,
  usage: Usage | undefined,
  said: Said,
  settings: Settings,
) {
  const input = Math.max(usage?.input ?? 0, head.prompt_estimate)
  return expectedCostOf(call, admission, settings, knownUsage({ ...usage, input, ...said, source: 'estimated' }))
}

/** What a stream may say that is held for in steps. */
export class Allowance {
  private tokens = STEP
  private readonly holds: Holds
  private readonly costOf: (said: Said) => number
  /** Why it may not go on. */
  refusal: GatewayError | undefined

  /** @param costOf in quota units */
  constructor(holds: Holds, costOf: (said: Said) => number) {
    this.holds = holds
    this.costOf = costOf
  }

  /** May a stream go on that has said so much? */
  covers(said: Said): boolean | Promise<boolean> {
    return said.output < this.tokens || this.grow(said)
  }

  private async grow({ output, audio_out = 0 }: Said): Promise<boolean> {
    try {
      await this.holds.raise(this.costOf({ output: output + STEP, audio_out: audio_out > 0 ? audio_out + STEP : 0 }))
      this.tokens = output + STEP
      return true
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error
      this.refusal = error
      return false
    }
  }
}

/** The lines of a run, each with its end: no two events are in one. */
export function* linesOf(run: Uint8Array): Generator<Uint8Array> {
  for (let from = 0; from < run.length;) {
    const end = run.indexOf(LF, from)
    const to = end < 0 ? run.length : end + 1
    yield run.subarray(from, to)
    from = to
  }
}
