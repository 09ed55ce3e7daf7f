// What a stream may say that is held for in steps: the caller's balance does not cover all of it.
import { GatewayError } from '../errors.ts'
import type { Holds } from './holds.ts'
import type { Said } from './said.ts'
import { STEP } from './strict-hold.ts'

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
