// A disk that is full, said in a sentence, whoever has met it.
import { GatewayError } from '../errors.ts'

/** The system, sqlite, PostgreSQL. */
const FULL = new Set(['ENOSPC', 'EDQUOT', 'SQLITE_FULL', '53100'])

/** The error, or the refusal that says where there is no room. */
export function asDiskFull(error: unknown, place: string): unknown {
  for (let each: unknown = error; each instanceof Error; each = each.cause)
    if (FULL.has(String((each as { code?: unknown }).code)))
      return new GatewayError('disk.full', { place }, { cause: error })
  return error
}
