// How far a stream may go that is held for in steps: each step is paid before it is passed on.
import { buildKnownUsage } from '../dialects/passing.ts'
import type { Usage } from '../dialects/usage.ts'
import { GatewayError } from '../errors.ts'
import type { Settings } from '../settings/index.ts'
import type { Call } from './call.ts'
import { type CallHolds, expectedCostOf, HOLD_STEP_TOKENS } from './holds.ts'
import type { OutputEstimate } from './measure.ts'
import type { ModelCandidate } from './model-candidates.ts'

const LF = 10

/** What an answer comes to that has said so much, in quota units; `usage` is what was reported so far. */
export function costSoFar(
  call: Call,
  { head, admission }: ModelCandidate,
  usage: Usage | undefined,
  said: OutputEstimate,
  settings: Settings,
) {
  const input = Math.max(usage?.input ?? 0, head.prompt_estimate)
  return expectedCostOf(call, admission, settings, buildKnownUsage({ ...usage, input, ...said, source: 'estimated' }))
}

/** What a stream may say that is held for in steps. */
export class StreamBudget {
  private tokens = HOLD_STEP_TOKENS
  private readonly holds: CallHolds
  private readonly costOf: (said: OutputEstimate) => number
  /** Why it may not go on. */
  refusal: GatewayError | undefined

  /** @param costOf in quota units */
  constructor(holds: CallHolds, costOf: (said: OutputEstimate) => number) {
    this.holds = holds
    this.costOf = costOf
  }

  /** May a stream go on that has said so much? */
  covers(said: OutputEstimate): boolean | Promise<boolean> {
    return said.output < this.tokens || this.grow(said)
  }

  private async grow({ output, audio_out = 0 }: OutputEstimate): Promise<boolean> {
    try {
      await this.holds.raise(
        this.costOf({ output: output + HOLD_STEP_TOKENS, audio_out: audio_out > 0 ? audio_out + HOLD_STEP_TOKENS : 0 }),
      )
      this.tokens = output + HOLD_STEP_TOKENS
      return true
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error
      this.refusal = error
      return false
    }
  }
}

/** The lines of a run, each with its end: no two events are in one. */
export function* splitLines(run: Uint8Array): Generator<Uint8Array> {
  for (let from = 0; from < run.length;) {
    const end = run.indexOf(LF, from)
    const to = end < 0 ? run.length : end + 1
    yield run.subarray(from, to)
    from = to
  }
}
