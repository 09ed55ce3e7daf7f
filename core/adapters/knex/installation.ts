// Makes sure that the master secret is the one this database was made with.
import type { Secrets } from '../../ports/secrets.ts'
import { StartError } from '../start-error.ts'
import type { Database } from './connect.ts'

const KNOWN_TEXT = 'weir'

/** What the database keeps to know its secret again. */
export const checkValue = (secrets: Secrets): string => secrets.encrypt(KNOWN_TEXT)

/**
 * Remembers the secret of a new database, and checks it for one that exists.
 * @throws StartError when it is another secret
 */
export async function checkSecret({ write }: Database, secrets: Secrets): Promise<void> {
  const row = { id: 1, secret_check: checkValue(secrets) }
  await write('installation').insert(row).onConflict('id').ignore()
  const stored = await write<{ id: number; secret_check: string }>('installation').where({ id: 1 }).first()
  if (!stored || !opens(secrets, stored.secret_check)) {
    throw new StartError(
      'The master secret does not fit this database: start with the secret (or the key file) that the database was made with.',
      undefined,
      'secret',
    )
  }
}

/** Was this check value made with this secret? */
export function opens(secrets: Secrets, sealed: string): boolean {
  try {
    return secrets.decrypt(sealed) === KNOWN_TEXT
  } catch {
    return false
  }
}
