// Turns a disk-full error of any library into one clear message.
import { GatewayError } from '../errors.ts'

/** Codes of the system, SQLite and PostgreSQL. */
const FULL = new Set(['ENOSPC', 'EDQUOT', 'SQLITE_FULL', '53100'])

/** Returns the error unchanged, or the error that names the full disk. */
export function toDiskFullError(error: unknown, place: string): unknown {
  for (let each: unknown = error; each instanceof Error; each = each.cause)
    if (FULL.has(String((each as { code?: unknown }).code)))
      return new GatewayError('disk.full', { place }, { cause: error })
  return error
}
