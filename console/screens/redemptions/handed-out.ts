// Codes as they are handed out: as lines of text, as a table, and as addresses that fill them in.
import { saveFile } from '../../data/download.ts'
import type { Redemption } from '../../../core/redemptions/redemption.ts'

/** One code per line, in a file that is named after them. */
export const saveText = (codes: readonly Redemption[]): void =>
  saveFile(new Blob([`${codes.map(({ key }) => key).join('\n')}\n`], { type: 'text/plain' }), `${fileName(codes)}.txt`)

/** With what each is worth and its state. */
export async function saveTable(codes: readonly Redemption[]): Promise<void> {
  const { stringify } = await import('csv-stringify/browser/esm/sync')
  const rows = codes.map(({ id, name, key, quota, status, created_time, redeemed_time, used_user_id }) => ({
    ...{ id, name, code: key, quota, status, created_time, redeemed_time, used_user_id },
  }))
  // A spreadsheet would take a name that begins like a formula for one.
  const text = stringify(rows, { header: true, escape_formulas: true })
  saveFile(new Blob([text], { type: 'text/csv' }), `${fileName(codes)}.csv`)
}

/** `name    key`, a line each. */
export const asLines = (codes: readonly Redemption[]): string =>
  codes.map(({ name, key }) => `${name}    ${key}`).join('\n')

/** Where a code is filled in by itself. */
export const redeemingAddress = (server: string, key: string): string =>
  `${server}/topup?code=${encodeURIComponent(key)}`

/** What a file may be called everywhere. */
const fileName = ([first]: readonly Redemption[]): string =>
  (first?.name ?? '').replaceAll(/[\\/:*?"<>|]/g, '_') || 'codes'
