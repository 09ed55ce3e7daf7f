// How long a provider asks to wait: the Retry-After header in both its forms (RFC 9110, section 10.2.3).

/** Longer waits are taken as this long: a mistaken date must not take a channel away for a year. */
const MAX_WAIT_MS = 24 * 3_600_000

/** Milliseconds from `now` (epoch ms); undefined where nothing can be read or the time has passed. */
export function retryAfterMs(header: string | undefined, now: number): number | undefined {
  const text = header?.trim() ?? ''
  if (text === '') return undefined
  const wait = /^\d+(\.\d+)?$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now
  return Number.isFinite(wait) && wait > 0 ? Math.min(Math.ceil(wait), MAX_WAIT_MS) : undefined
}
