// What an answer has said so far, by our own count: words by their length, sound by its bytes.
import type { Watcher } from '../dialects/glance.ts'
import type { Sound } from '../dialects/sound.ts'
import { audioTokens } from '../pricing/audio-tokens.ts'

/** Unit: tokens. */
export interface OutputEstimate {
  output: number
  /** Of them sound. */
  audio_out?: number
}

export function estimateOutput(watcher: Pick<Watcher, 'outputEstimate' | 'sound'>): OutputEstimate {
  const output = watcher.outputEstimate()
  const audio_out = countAudioTokens(watcher.sound())
  return audio_out > 0 ? { output: output + audio_out, audio_out } : { output }
}

/** Tokens of sound that was made (docs/billing.md, 12.4). */
export const countAudioTokens = ({ raw, packed }: Readonly<Sound>): number =>
  raw + packed === 0 ? 0 : audioTokens('pcm16', raw, 'output') + audioTokens('unknown', packed, 'output')
