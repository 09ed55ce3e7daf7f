// Moments as people and programs write them.
import type { GetZoneOffset } from './steps.ts'

const ISO = /^(\d{4})-(\d\d)(?:-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.\d+)?)?)?)?(Z|[+-]\d\d:?\d\d)?$/i

/**
 * Parses a moment to epoch seconds: epoch seconds, or ISO 8601 from `2026-11` to `2026-11-03T14:00:00+01:00`. Without
 * an offset it is local time of the zone. Returns null for any other text.
 */
export function parseMomentSeconds(text: string, offsetAt: GetZoneOffset): number | null {
  // A shorter number may have been meant for a year.
  if (/^(0|\d{9,12})$/.test(text)) return Number(text)
  const [found, year, month, date = '01', hour = '00', minute = '00', second = '00', offset] = ISO.exec(text) ?? []
  if (found === undefined) return null
  const iso = `${year}-${month}-${date}T${hour}:${minute}:${second}Z`
  const shown = Date.parse(iso) / 1000
  // Date.parse takes 31 February for 3 March.
  if (Number.isNaN(shown) || new Date(shown * 1000).toISOString().slice(0, 19) !== iso.slice(0, 19)) return null
  return offset === undefined ? shownAt(shown, offsetAt) : shown - parseOffset(offset)
}

function parseOffset(offset: string): number {
  if (/^z$/i.test(offset)) return 0
  const [, sign, hours, minutes] = /^([+-])(\d\d):?(\d\d)$/.exec(offset) ?? []
  return (sign === '-' ? -1 : 1) * (Number(hours) * 3600 + Number(minutes) * 60)
}

/** No clock is set by more than this, in seconds. */
const DAY = 86_400

/** The first moment at which the zone's clock shows this, or, where it skips it, the moment of the skip. */
function shownAt(shown: number, offsetAt: GetZoneOffset): number {
  const before = offsetAt(shown - DAY)
  const after = offsetAt(shown + DAY)
  const first = shown - before
  if (offsetAt(first) === before) return first
  const second = shown - after
  if (offsetAt(second) === after) return second
  // Skipped: between the two the clock is set.
  let [early, late] = [Math.min(first, second) - 1, Math.max(first, second)]
  while (late - early > 1) {
    const middle = Math.floor((early + late) / 2)
    if (offsetAt(middle) === before) early = middle
    else late = middle
  }
  return late
}
