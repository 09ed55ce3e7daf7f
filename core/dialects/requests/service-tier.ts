// Reads the service tier of a call from reports of providers, and writes it into answers.
import { toPriceForm } from './price-words.ts'

const MAX_LENGTH = 32

/** Names of the default tier. */
export const DEFAULT_TIERS: ReadonlySet<string> = new Set(['default', 'standard', 'on_demand'])

/**
 * Returns the reported tier in the form that prices use: the first that is not the default. Empty if none is reported,
 * which differs from the default; `auto` counts as none.
 */
export function findServedTier(...reported: unknown[]): { service_tier?: string } {
  let plain: string | undefined
  for (const value of reported) {
    const service_tier = typeof value === 'string' && value.length <= MAX_LENGTH ? toPriceForm(value) : ''
    if (service_tier === '' || service_tier === 'auto') continue
    if (!DEFAULT_TIERS.has(service_tier)) return { service_tier }
    plain ??= service_tier
  }
  return plain === undefined ? {} : { service_tier: plain }
}

/** Returns the member of an answer or of a log row; empty for the default tier, which they omit. */
export const getShownTier = ({ service_tier }: { service_tier?: string }): { service_tier?: string } =>
  service_tier === undefined || DEFAULT_TIERS.has(service_tier) ? {} : { service_tier }

/** The tiers of each format; a tier of another vendor's is unknown to its clients. */
export const CHAT_SERVICE_TIERS: ReadonlySet<string> = new Set(['flex', 'scale', 'priority', 'fast'])
export const RESPONSES_SERVICE_TIERS: ReadonlySet<string> = new Set([...CHAT_SERVICE_TIERS, 'ultrafast'])
export const MESSAGES_SERVICE_TIERS: ReadonlySet<string> = new Set(['priority', 'batch'])
export const GEMINI_SERVICE_TIERS: ReadonlySet<string> = new Set(['flex', 'priority'])

/** Returns the member of an answer; empty for the default tier, and if the format does not have the tier. */
export const buildServiceTierField = (words: ReadonlySet<string>, { service_tier }: { service_tier?: string }) =>
  service_tier !== undefined && words.has(service_tier) ? { service_tier } : {}
