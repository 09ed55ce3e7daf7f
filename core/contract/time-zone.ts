// The names of time zones, checked against the platform's own table.

/**
 * True for an IANA name that this platform knows; empty means UTC. Offsets such as +02:00 are not zones: they have no
 * summer time, and some platforms reject them.
 */
export const isTimeZone = (zone: string): boolean =>
  zone === '' || (/^[A-Za-z][A-Za-z0-9_+/-]{0,63}$/.test(zone) && isSupportedTimeZone(zone))

/** True if this platform can tell the time in the zone, which may also be an offset. */
export function isSupportedTimeZone(zone: string): boolean {
  try {
    return Intl.DateTimeFormat('en-US', { timeZone: zone }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}
