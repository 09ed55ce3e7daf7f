// The key that signs receipts, encrypted at rest. If several processes create one at the same moment, the first is
// kept.
import type { SealedPlace, Secrets } from '../../ports/secrets.ts'
import type { ReceiptKeyStore } from '../../quota/receipt.ts'
import type { Database } from './database.ts'

const RECEIPT_KEY_PLACE: SealedPlace = ['installation.receipt_key_sealed', 1]

interface Row {
  id: number
  receipt_key_sealed: string | null
}

export function createReceiptKeyStore({ write, read }: Database, secrets: Secrets): ReceiptKeyStore {
  const stored = async (from: typeof read) =>
    (await from<Row>('installation').where({ id: 1 }).first('receipt_key_sealed'))?.receipt_key_sealed ?? null

  return {
    async getOrCreate(make) {
      let sealed = await stored(read)
      if (sealed === null) {
        const receipt_key_sealed = secrets.encrypt(make(), RECEIPT_KEY_PLACE)
        await write<Row>('installation').where({ id: 1 }).whereNull('receipt_key_sealed').update({ receipt_key_sealed })
        sealed = await stored(write)
      }
      return secrets.decrypt(sealed ?? '', RECEIPT_KEY_PLACE)
    },
  }
}
