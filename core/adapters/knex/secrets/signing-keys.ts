// The record of the ledger's keys, encrypted: created with the database, and extended when the master secret changes.
import type { Knex } from 'knex'
import type { EncryptedPlace, Secrets } from '../../../ports/secrets.ts'
import { addFirstChainKey, appendChainKey, type Chain, type ChainKeys, createChain } from '../../../quota/chain.ts'
import type { ReceiptKeyStore } from '../../../quota/receipts.ts'
import type { ChainedAccount } from '../../../quota/store.ts'
import { StartError } from '../../start-error.ts'
import type { Database } from '../connection/database.ts'

const CHAIN_KEYS_PLACE: EncryptedPlace = ['installation.chain_keys_sealed', 1]

export const encryptChainKeys = (keys: ChainKeys, secrets: Secrets): string =>
  secrets.encrypt(JSON.stringify(keys), CHAIN_KEYS_PLACE)

/**
 * Loads the keys that entries are and were chained with. @throws StartError if the record is gone: it is never created
 * twice
 */
export async function loadChainKeys(read: Knex, secrets: Secrets): Promise<Chain> {
  return createChain(secrets, await loadKeys(read, secrets))
}

/** Creates the first key of a ledger that has none, in a transaction that has the database to itself. */
export async function createKeyRecord(transaction: Knex.Transaction, secrets: Secrets): Promise<void> {
  const accounts = await transaction<ChainedAccount>('accounts')
    .whereNot({ entries_hash: '' })
    .orderBy('id')
    .select('id', 'entries_hash')
  await keep(transaction, addFirstChainKey(secrets, await lastEntry(transaction), accounts), secrets)
}

/**
 * Adds the key of a new master secret, which the record is already encrypted with, in the transaction that changes the
 * secret.
 */
export async function saveNextKey(transaction: Knex.Transaction, secrets: Secrets): Promise<void> {
  const keys = appendChainKey(await loadKeys(transaction, secrets), await lastEntry(transaction), secrets.chainKey)
  await keep(transaction, keys, secrets)
}

async function loadKeys(from: Knex, secrets: Secrets): Promise<ChainKeys> {
  const row = await from('installation').where({ id: 1 }).first('chain_keys_sealed')
  try {
    return JSON.parse(secrets.decrypt(row?.chain_keys_sealed ?? '', CHAIN_KEYS_PLACE)) as ChainKeys
  } catch (error) {
    throw new StartError(
      "The record of the ledger's keys (installation.chain_keys_sealed) is gone or was changed: put it back from a backup.",
      error,
    )
  }
}

const lastEntry = async (transaction: Knex.Transaction): Promise<number> =>
  Number((await transaction('ledger_entries').max({ id: 'id' }).first())?.id ?? 0)

const keep = (transaction: Knex.Transaction, keys: ChainKeys, secrets: Secrets) =>
  transaction('installation')
    .where({ id: 1 })
    .update({ chain_keys_sealed: encryptChainKeys(keys, secrets) })

// The key that signs receipts, encrypted at rest. If several processes create one at the same moment, the first is
// kept.

const RECEIPT_KEY_PLACE: EncryptedPlace = ['installation.receipt_key_sealed', 1]

interface ChainKeyRow {
  id: number
  receipt_key_sealed: string | null
}

export function createReceiptKeyStore({ write, read }: Database, secrets: Secrets): ReceiptKeyStore {
  const stored = async (from: typeof read) =>
    (await from<ChainKeyRow>('installation').where({ id: 1 }).first('receipt_key_sealed'))?.receipt_key_sealed ?? null

  return {
    async getOrCreate(make) {
      let sealed = await stored(read)
      if (sealed === null) {
        const receipt_key_sealed = secrets.encrypt(make(), RECEIPT_KEY_PLACE)
        await write<ChainKeyRow>('installation')
          .where({ id: 1 })
          .whereNull('receipt_key_sealed')
          .update({ receipt_key_sealed })
        sealed = await stored(write)
      }
      return secrets.decrypt(sealed ?? '', RECEIPT_KEY_PLACE)
    },
  }
}
