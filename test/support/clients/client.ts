// The requests of the tests to every client library, and the values that are read from its answers.
import type { Json } from '../json.ts'

/** Where a client is pointed, and how it asks. */
export interface Setup {
  url: string
  key: string
  model: string
  streamed: boolean
}

export interface Tool {
  name: string
  description: string
  /** JSON schema. */
  parameters: Json
}

export interface Question {
  system: string
  text: string
  /** A picture, base64. */
  png: string
  tools: Tool[]
  limit: number
  /** Answers a call; always as a text. */
  run(name: string, args: Json): string
}

/** One answer as the library tells it. */
export interface Reading {
  text: string
  thought: string
  calls: { name: string; args: Json }[]
  finish: string
  /** Prompt tokens with those that were cached. */
  usage: { prompt: number; cached: number; completion: number; reasoning?: number }
}

/** What a library has no way to show, or takes no note of. */
export type Blind = 'thought' | 'reasoning' | 'cached'

export interface Client {
  name: string
  /** The format that it speaks. */
  speaks: 'chat' | 'responses' | 'messages' | 'gemini'
  /** Its words for why an answer ended. */
  finishes: { calls: string; stop: string; length: string }
  blind: readonly Blind[]
  /** True where a thought goes back with its signature as the library keeps its history. */
  returnsThoughts: boolean
  /** Asks, answers the calls, and asks again until there are none: a reading of each answer. */
  converse(setup: Setup, question: Question): Promise<Reading[]>
  /** Asks for JSON of that shape. */
  json(setup: Setup, text: string, schema: Json): Promise<unknown>
  /** Just asks; no retries. */
  ask(setup: Setup): Promise<string>
}

export const dataUrl = (png: string): string => `data:image/png;base64,${png}`

/** Calls `turn` until it says that nothing is to be answered; it never does in more than four. */
export async function turns(turn: () => Promise<{ reading: Reading; again: boolean }>): Promise<Reading[]> {
  const readings: Reading[] = []
  while (readings.length < 4) {
    const { reading, again } = await turn()
    readings.push(reading)
    if (!again) break
  }
  return readings
}
