// Reads the service tier of a call from reports of providers, and writes it into answers.
import { toPriceForm } from './price-words.ts'

const MAX_LENGTH = 32

/** Words for the tier that everybody gets. */
export const PLAIN_TIERS: ReadonlySet<string> = new Set(['default', 'standard', 'on_demand'])

/**
 * The tier that a report names, in the form that prices know: the first that is not the plain one. Empty where none is named,
 * which is not the same as the plain one; `auto` names none.
 */
export function servedTier(...reported: unknown[]): { service_tier?: string } {
  let plain: string | undefined
  for (const value of reported) {
    const service_tier = typeof value === 'string' && value.length <= MAX_LENGTH ? toPriceForm(value) : ''
    if (service_tier === '' || service_tier === 'auto') continue
    if (!PLAIN_TIERS.has(service_tier)) return { service_tier }
    plain ??= service_tier
  }
  return plain === undefined ? {} : { service_tier: plain }
}

/** The member of an answer or of a log row; empty for the plain tier, which they leave out. */
export const toldTier = ({ service_tier }: { service_tier?: string }): { service_tier?: string } =>
  service_tier === undefined || PLAIN_TIERS.has(service_tier) ? {} : { service_tier }

/** The words of each format for a tier; a word of another vendor's is none of its clients'. */
export const CHAT_TIERS: ReadonlySet<string> = new Set(['flex', 'scale', 'priority', 'fast'])
export const RESPONSES_TIERS: ReadonlySet<string> = new Set([...CHAT_TIERS, 'ultrafast'])
export const MESSAGES_TIERS: ReadonlySet<string> = new Set(['priority', 'batch'])
export const GEMINI_TIERS: ReadonlySet<string> = new Set(['flex', 'priority'])

/** The member of an answer; empty for the plain tier, and where the format has no word for the tier. */
export const tierAmong = (words: ReadonlySet<string>, { service_tier }: { service_tier?: string }) =>
  service_tier !== undefined && words.has(service_tier) ? { service_tier } : {}
