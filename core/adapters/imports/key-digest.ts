// Weir knows a key with dashes by its SHA-256 until its first call, because a dash ends a key.
import { createHash } from 'node:crypto'

/** @param key the whole text that clients send */
export const digestImportedKey = (key: string): string => createHash('sha256').update(key).digest('hex')
