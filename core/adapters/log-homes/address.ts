// Parses the address of a log store on disk: `kind:path?days=31`.
import { StartError } from '../start-error.ts'

interface AddressRefusal {
  what: string
  /** The expected format, for the error. */
  as: string
  /** The default of `days`. */
  days: number
}

const DAY = 86_400

/**
 * @returns the path as written, and the age from which the store takes rows, in seconds. @throws StartError if it is
 *   invalid
 */
export function parseDiskAddress(
  address: URL,
  { what, as, days: usual }: AddressRefusal,
): { path: string; age: number } {
  const days = Number(address.searchParams.get('days') ?? usual)
  const path = decodeURIComponent(address.pathname)
  if (!path || !Number.isInteger(days) || days < 0)
    throw new StartError(`The ${what} cannot be read: write it as ${as}.`)
  return { path, age: days * DAY }
}
