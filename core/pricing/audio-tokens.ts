// Counts the tokens of raw audio from its size in bytes (docs/billing.md, 12.4).
import { ExactNumber } from './exact.ts'

/** PCM has two bytes a sample at 24 kHz; G.711, and what is unknown, one at 8 kHz. */
const bytesPerSecond = (format: string): number => (format === 'pcm16' ? 2 * 24_000 : 8_000)

/** A minute's price and a token's, in USD: their quotient is the tokens of a minute. */
const MINUTE = { input: { price: 100, of: '0.06' }, output: { price: 200, of: '0.24' } }

/** Seconds as an exact decimal. */
export const getAudioSeconds = (format: string, bytes: number): ExactNumber =>
  new ExactNumber(bytes).dividedBy(bytesPerSecond(format))

/** Estimates the duration of audio in an unknown format from its size in bytes. */
export const soundSeconds = (bytes: number): number => getAudioSeconds('unknown', bytes).toNumber()

export function countSoundTokens(format: string, bytes: number, direction: 'input' | 'output'): number {
  const { price, of } = MINUTE[direction]
  return getAudioSeconds(format, bytes).times(price).dividedBy(new ExactNumber(60).times(of)).truncated().toNumber()
}
