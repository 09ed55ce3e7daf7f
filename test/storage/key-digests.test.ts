// Keys that were imported as their SHA-256 alone stand among keys in databases of earlier releases; this one moves them.
import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openStorage } from '../../core/adapters/knex/index.ts'
import { openDatabase } from '../../core/adapters/knex/schema/open.ts'
import { formatPresentedKey } from '../../core/tokens/token.ts'
import { listDatabaseKinds } from '../support/database-kinds.ts'
import { ports, testSecrets as secrets } from '../support/databases.ts'
import { freshDatabase } from '../support/postgres.ts'
import { migrateUpTo } from './former-release.ts'
import { newToken } from './samples.ts'

const digestOf = (text: string) => createHash('sha256').update(text).digest('hex')
const KNOWN = newToken().key
const imported = digestOf('sk-imported')

describe.each(listDatabaseKinds())('keys of an earlier release on %s', { timeout: 120_000 }, (kind) => {
  let folder: string
  let place: { folder: string } | { database: string }
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'weir-digests-'))
    place = kind === 'postgres' ? { database: await freshDatabase() } : { folder }
    const former = await openDatabase({ ...place, ...ports() })
    await migrateUpTo(former, '0051-dead-letters')
    await former.write('accounts').insert({ id: 1, kind: 'user', quota: 0 })
    await former.write('users').insert({ id: 1, username: 'ada', created_time: 1 })
    const rows = [KNOWN, `sha256:${imported}`].map((key, at) => ({
      ...{ id: at + 1, user_id: 1, created_time: 1, slug: `token-${at}`, key_hash: secrets.hash(key) },
      key_prefix: key === KNOWN ? key.slice(0, 6) : '',
      key_sealed: secrets.encrypt(key, ['tokens.key_sealed', at + 1]),
    }))
    await former.write('tokens').insert(rows)
    await former.close()
  })
  afterEach(() => rm(folder, { recursive: true, force: true }))

  it('hold no stand-in once it has started, and open as before', async () => {
    const storage = await openStorage({ ...place, ...ports() })
    try {
      expect(await storage.tokens.find(2)).toMatchObject({ key: '', key_digest: imported })
      expect(await storage.tokens.find(1)).toMatchObject({ key: KNOWN })
      expect(await storage.tokens.findByKey(`sha256:${imported}`)).toBeNull()
      for (const text of [`sha256:${imported}`, imported, 'unknown 2', secrets.hash(imported)])
        expect(await storage.tokens.findPresented(formatPresentedKey(text)), text).toBeNull()
      for (const time of [1, 2])
        expect(await storage.tokens.findPresented(formatPresentedKey('imported')), String(time)).toMatchObject({
          id: 2,
        })
      expect(await storage.tokens.findPresented(formatPresentedKey(KNOWN))).toMatchObject({ id: 1 })
    } finally {
      await storage.close()
    }
    const again = await openStorage({ ...place, ...ports() })
    expect(await again.tokens.findPresented(formatPresentedKey('imported'))).toMatchObject({ id: 2, key: 'imported' })
    await again.close()
  })
})
