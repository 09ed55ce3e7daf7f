// The address of a home that is on a disk: `kind:path?days=31`.
import { StartError } from '../start-error.ts'

interface Told {
  what: string
  /** How such an address is written. */
  as: string
  /** Where it says nothing. */
  days: number
}

const DAY = 86_400

/** @returns its path as it is written, and how old rows are that it takes, in seconds. @throws StartError where it cannot be read */
export function addressOnDisk(address: URL, { what, as, days: usual }: Told): { path: string; age: number } {
  const days = Number(address.searchParams.get('days') ?? usual)
  const path = decodeURIComponent(address.pathname)
  if (!path || !Number.isInteger(days) || days < 0)
    throw new StartError(`The ${what} cannot be read: write it as ${as}.`)
  return { path, age: days * DAY }
}
