// An attacker who has only the database cannot write valid entries: chains are keyed, and earlier ones are sealed as a
// whole.
import { createHmac, randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { createChainDigest, createSecrets } from '../../../core/adapters/crypto.ts'
import {
  connectPostgres,
  connectSqlite,
  DATABASE_FILE_NAME,
} from '../../../core/adapters/knex/connection/connection.ts'
import { auditChains, CHAIN_START, hashEntry } from '../../../core/quota/chain.ts'
import { readLedgerState } from '../../../core/quota/receipts.ts'
import type { Database } from '../../../core/adapters/knex/connection/database.ts'
import { openStorage } from '../../../core/adapters/knex/index.ts'
import { openDatabase, type DatabaseLocation } from '../../../core/adapters/knex/schema/open.ts'
import { rewriteStoredSecrets } from '../../../core/adapters/knex/secrets/rotation.ts'
import { nodeSignatures } from '../../../core/adapters/signatures.ts'
import type { Secrets } from '../../../core/ports/secrets.ts'
import type { Storage } from '../../../core/ports/storage.ts'
import { createLedger, type Ledger } from '../../../core/quota/ledger.ts'
import type { LedgerEntry } from '../../../core/quota/ledger-entry.ts'
import { createFakeClock } from '../../support/clock.ts'
import { ports, silent, testSecrets } from '../../support/databases.ts'
import { freshDatabase } from '../../support/postgres.ts'
import { createFakeRandom } from '../../support/random.ts'
import { migratedImage } from '../../support/sqlite.ts'
import { unboundSecrets } from '../../support/unbound.ts'
import { newUser } from '../../storage/samples.ts'
import { listDatabaseKinds } from '../../support/database-kinds.ts'

it('the keyed hash is HMAC-SHA256, whatever the text', () => {
  const key = randomBytes(32)
  const digest = createChainDigest(key.toString('base64url'))
  const agrees = (text: string) => {
    expect(digest(text)).toBe(createHmac('sha256', key).update(text, 'utf8').digest('hex'))
  }
  fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 3000 }), agrees))
  for (const length of [0, 1365, 1366, 4096, 5000]) for (const part of ['a', '汉', '😀']) agrees(part.repeat(length))
})

let end: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const each of end.splice(0).reverse()) await each()
})

describe.each(listDatabaseKinds())('the chain on %s', (kind) => {
  async function placed(): Promise<DatabaseLocation> {
    if (kind === 'postgres') return { database: await freshDatabase(), logger: silent }
    const folder = await mkdtemp(join(tmpdir(), 'weir-chain-'))
    end.push(() => rm(folder, { recursive: true, force: true }))
    await writeFile(join(folder, DATABASE_FILE_NAME), await migratedImage())
    return { folder, logger: silent }
  }

  /** A run of a process on this database. */
  async function during<T>(
    place: DatabaseLocation,
    work: (running: { storage: Storage; ledger: Ledger; raw: Database }) => Promise<T>,
    { secrets = testSecrets, keyed = true }: { secrets?: Secrets; keyed?: boolean } = {},
  ): Promise<T> {
    const clock = createFakeClock()
    const storage = await openStorage({ ...place, ...ports(), secrets })
    const chain = keyed ? storage.chain : { digest: nodeSignatures.digest }
    const ledger = await createLedger({
      ...{ store: storage.ledger, chain, clock, random: createFakeRandom(7), logger: silent },
    })
    const { database, folder } = place
    const raw = database ? await connectPostgres(database, silent) : await connectSqlite(folder ?? null, silent)
    try {
      return await work({ storage, ledger, raw })
    } finally {
      await raw.close()
      await ledger.close()
      await storage.close()
    }
  }
  const credit = async (ledger: Ledger, user_id: number, times = 3) => {
    for (let at = 0; at < times; at += 1) await ledger.credit({ account_id: user_id, kind: 'topup', amount: 10 })
  }
  const faults = async (storage: Storage) =>
    (await auditChains(storage.entries, storage.chain, { limit: 99 })).faults.map((fault) => fault.kind)

  /** What somebody can do who has the database and knows how entries are hashed, but has no key. */
  async function forge({ write }: Database, user_id: number, first: Partial<LedgerEntry>): Promise<void> {
    const rows = await write<LedgerEntry>('ledger_entries').where({ account_id: user_id }).orderBy('id')
    let previous = CHAIN_START
    for (const [at, row] of rows.entries()) {
      const forged = at === 0 ? { ...row, ...first } : row
      previous = hashEntry(nodeSignatures.digest, previous, forged)
      await write('ledger_entries')
        .where({ id: row.id })
        .update({ ...(at === 0 ? first : {}), hash: previous })
    }
    await write('accounts').where({ id: user_id }).update({ entries_hash: previous })
  }

  /** An installation of the first releases: two accounts, no key. Ada goes on, Bob is never seen again. */
  async function old(): Promise<DatabaseLocation & { ada: number; bob: number }> {
    const place = await placed()
    const work = async ({ storage, ledger }: { storage: Storage; ledger: Ledger }) => {
      const { id: ada } = await storage.users.insert(newUser({ username: 'ada' }))
      const { id: bob } = await storage.users.insert(newUser({ username: 'bob' }))
      await credit(ledger, ada)
      await credit(ledger, bob)
      return { ada, bob }
    }
    return { ...place, ...(await during(place, work, { secrets: unboundSecrets('a secret for tests'), keyed: false })) }
  }

  it('of a new installation is keyed from its first entry', async () => {
    await during(await placed(), async ({ storage, ledger, raw }) => {
      const { id } = await storage.users.insert(newUser())
      await credit(ledger, id)
      expect(storage.chain.keys).toEqual([{ after_entry: 0, fingerprint: expect.stringMatching(/^[0-9a-f]{16}$/) }])
      expect(await faults(storage)).toEqual([])
      await forge(raw, id, { created_at: 5 })
      expect(await faults(storage)).toEqual(['chain', 'chain', 'chain'])
    })
  })

  it('of an older one goes on: entries up to the first key are checked in the old way', async () => {
    const place = await old()
    await during(place, async ({ storage, ledger }) => {
      expect(storage.chain.keys).toEqual([
        { after_entry: 0, fingerprint: null },
        { after_entry: 6, fingerprint: expect.stringMatching(/^[0-9a-f]{16}$/) },
      ])
      expect(await faults(storage)).toEqual([])
      await credit(ledger, place.ada)
      expect(await faults(storage)).toEqual([])
    })
    // Begun once: the point never moves.
    await during(place, async ({ storage }) => expect(storage.chain.keys[1]?.after_entry).toBe(6))
  })

  it('notices what is forged among the old entries, also of an account that has no new one', async () => {
    const place = await old()
    await during(place, async ({ storage, ledger, raw }) => {
      await credit(ledger, place.ada)
      await forge(raw, place.bob, { created_at: 5 })
      expect(await faults(storage)).toEqual(['chain_ground'])
      await forge(raw, place.ada, { created_at: 5 })
      expect(await faults(storage)).toEqual(['chain', 'chain', 'chain', 'chain_ground'])
    })
  })

  it('holds over a new master secret, each part under its key', async () => {
    const place = await old()
    await during(place, ({ ledger }) => credit(ledger, place.ada))
    const database = await openDatabase(place)
    const how = { candidates: ['a secret for tests'], secretsOf: createSecrets, beforeCommit: async () => undefined }
    await rewriteStoredSecrets(database, { ...how, next: 'another secret' }).finally(() => database.close())
    const secrets = createSecrets('another secret')
    await during(
      place,
      async ({ storage, ledger, raw }) => {
        await credit(ledger, place.bob)
        expect(storage.chain.keys.map(({ after_entry }) => after_entry)).toEqual([0, 6, 9])
        expect(new Set(storage.chain.keys.map(({ fingerprint }) => fingerprint)).size).toBe(3)
        expect(await faults(storage)).toEqual([])
        // With the old key nobody writes what comes later.
        const { chainKey } = testSecrets
        const last = (await raw
          .write<LedgerEntry>('ledger_entries')
          .where({ account_id: place.bob })
          .orderBy('id', 'desc')
          .first())!
        const hash = hashEntry(createChainDigest(chainKey), last.hash, last)
        await raw.write('ledger_entries').where({ id: last.id }).update({ hash })
        await raw.write('accounts').where({ id: place.bob }).update({ entries_hash: hash })
        expect(await faults(storage)).toEqual(['chain'])
      },
      { secrets },
    )
  })

  it('agrees with a checkpoint until an entry before it is changed, even with the key', async () => {
    await during(await placed(), async ({ storage, ledger, raw }) => {
      const { id } = await storage.users.insert(newUser())
      await credit(ledger, id)
      const last = await storage.entries.lastEntry()
      const standing = () => storage.entries.audit((books) => readLedgerState(books, last, nodeSignatures.digest))
      const kept = await standing()
      expect(kept).toMatchObject({ last_entry: 3, entries: 3, accounts: 1 })
      await credit(ledger, id)
      expect(await standing()).toEqual(kept)
      const rows = await raw.write<LedgerEntry>('ledger_entries').orderBy('id')
      let previous = CHAIN_START
      for (const row of rows) {
        previous = hashEntry(storage.chain.digest, previous, { ...row, created_at: 5 })
        await raw.write('ledger_entries').where({ id: row.id }).update({ created_at: 5, hash: previous })
      }
      await raw.write('accounts').where({ id }).update({ entries_hash: previous })
      expect(await faults(storage)).toEqual([])
      expect(await standing()).not.toEqual(kept)
    })
  })

  it('has a record of its keys that is not made again where it is gone', async () => {
    const place = await placed()
    await during(place, async ({ raw }) => raw.write('installation').update({ chain_keys_sealed: null }))
    await expect(openStorage({ ...place, ...ports() })).rejects.toThrow(/record of the ledger's keys .* is gone/)
  })
})
