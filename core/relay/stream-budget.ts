// Limits a stream that is held in steps: each step is paid before it is forwarded.
import { buildKnownUsage } from '../dialects/passing.ts'
import type { Usage } from '../dialects/answers/usage.ts'
import { GatewayError } from '../errors.ts'
import type { Settings } from '../settings/index.ts'
import type { Call } from './call.ts'
import { type CallHolds, estimateUsageCost, HOLD_STEP_TOKENS } from './holds.ts'
import type { OutputEstimate } from './measure.ts'
import type { ModelCandidate } from './model-candidates.ts'

const LF = 10

/** Returns the cost of an answer with this output so far, in quota units. `usage` is the report so far. */
export function costSoFar(
  call: Call,
  { head, admission }: ModelCandidate,
  usage: Usage | undefined,
  output: OutputEstimate,
  settings: Settings,
) {
  const input = Math.max(usage?.input ?? 0, head.prompt_estimate)
  return estimateUsageCost(
    call,
    admission,
    settings,
    buildKnownUsage({ ...usage, input, ...output, source: 'estimated' }),
  )
}

/** The paid part of a stream that is held in steps. */
export class StreamBudget {
  private tokens = HOLD_STEP_TOKENS
  private readonly holds: CallHolds
  private readonly getCost: (output: OutputEstimate) => number
  /** The refusal of the next step. */
  refusal: GatewayError | undefined

  /** @param getCost returns quota units */
  constructor(holds: CallHolds, getCost: (output: OutputEstimate) => number) {
    this.holds = holds
    this.getCost = getCost
  }

  /** Returns true if the stream may continue after this output. Holds the next step if necessary. */
  covers(output: OutputEstimate): boolean | Promise<boolean> {
    return output.output < this.tokens || this.grow(output)
  }

  private async grow({ output, audio_out = 0 }: OutputEstimate): Promise<boolean> {
    try {
      await this.holds.raise(
        this.getCost({
          output: output + HOLD_STEP_TOKENS,
          audio_out: audio_out > 0 ? audio_out + HOLD_STEP_TOKENS : 0,
        }),
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

/** Splits a run into lines with their ends, so that each contains at most one event. */
export function* splitIntoLines(run: Uint8Array): Generator<Uint8Array> {
  for (let from = 0; from < run.length;) {
    const end = run.indexOf(LF, from)
    const to = end < 0 ? run.length : end + 1
    yield run.subarray(from, to)
    from = to
  }
}
