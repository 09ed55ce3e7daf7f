// The output of a scripted vendor, in terms that fit every format.
import type { Json } from '../support/json.ts'

/** A tool that a request offers. */
export interface Offered {
  name: string
  schema: Json
}

/** What a request asks for, as a script sees it. */
export interface Asked {
  model: string
  tools: readonly Offered[]
  /** The last words of the user. */
  said: string
  /** Texts of the tools' results behind those words, the oldest first. */
  results: readonly string[]
  /** Where the answer shall be JSON: of this schema, or any where there is none. */
  format?: { schema?: Json } | undefined
}

export interface Call {
  name: string
  args: Record<string, unknown>
  /** A freeform tool's one text, instead of the arguments. */
  input?: string
}

/** One answer: thoughts, words and calls, in this order; what is absent is not said. */
export interface Turn {
  thought?: string
  text?: string
  calls?: readonly Call[]
}

/** Says what to answer. It sees the conversation and keeps no count, so that requests beside it do no harm. */
export type Script = (asked: Asked) => Turn

/** Says a text, whatever is asked. */
export const saying =
  (text: string, thought?: string): Script =>
  () => ({ text, ...(thought === undefined ? {} : { thought }) })

/**
 * Calls tools one after another, then says the last words. A step whose tool is not on offer is said in words: so do models
 * that are asked for a title or a summary.
 */
export function callThenAnswer(steps: readonly ((asked: Asked) => Call | undefined)[], answer: Script): Script {
  return (asked) => {
    const call = steps[asked.results.length]?.(asked)
    return call ? { thought: `I should call ${call.name} now.`, calls: [call] } : answer(asked)
  }
}
