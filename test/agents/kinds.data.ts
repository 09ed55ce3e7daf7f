// The kinds of channels that every agent is sent to, each with a model of its vendor's own.
import { startAnthropicVendor } from '../vendors/anthropic.ts'
import { startGeminiVendor } from '../vendors/gemini.ts'
import { startOpenaiVendor } from '../vendors/openai.ts'
import type { Script } from '../vendors/script.ts'
import type { Vendor } from '../vendors/vendor.ts'

export interface Kind {
  name: 'openai' | 'anthropic' | 'gemini'
  /** Of the channel. */
  type: number
  model: string
  start(script: Script): Promise<Vendor>
}

export const kinds: readonly Kind[] = [
  { name: 'openai', type: 1, model: 'gpt-6.2-sol', start: startOpenaiVendor },
  { name: 'anthropic', type: 14, model: 'claude-sonnet-5-5', start: startAnthropicVendor },
  { name: 'gemini', type: 24, model: 'gemini-3.8-flash', start: startGeminiVendor },
]
