// Codes in the forms in which they are handed out: as lines of text, as a table, and as links that redeem them.
import { saveContentFile } from '../../data/download.ts'
import type { RedemptionCode } from '../../../core/redemptions/redemption.ts'

/** Saves one code per line, in a file that is named after them. */
export const saveCodeText = (codes: readonly RedemptionCode[]): void =>
  saveContentFile(
    new Blob([`${codes.map(({ key }) => key).join('\n')}\n`], { type: 'text/plain' }),
    `${fileName(codes)}.txt`,
  )

/** Includes the value and the state of each code. */
export async function saveCodeTable(codes: readonly RedemptionCode[]): Promise<void> {
  const { stringify } = await import('csv-stringify/browser/esm/sync')
  const rows = codes.map(({ id, name, key, quota, status, created_time, redeemed_time, used_user_id }) => ({
    id,
    name,
    code: key,
    quota,
    status,
    created_time,
    redeemed_time,
    used_user_id,
  }))
  // A spreadsheet would take a name that begins like a formula for one.
  const text = stringify(rows, { header: true, escape_formulas: true })
  saveContentFile(new Blob([text], { type: 'text/csv' }), `${fileName(codes)}.csv`)
}

/** Formats one line `name key` per code. */
export const formatCodeLines = (codes: readonly RedemptionCode[]): string =>
  codes.map(({ name, key }) => `${name}    ${key}`).join('\n')

/** Returns the address of the form with the code filled in. */
export const buildRedeemAddress = (server: string, key: string): string =>
  `${server}/topup?code=${encodeURIComponent(key)}`

/** Returns a file name that is valid on every system. */
const fileName = ([first]: readonly RedemptionCode[]): string =>
  (first?.name ?? '').replaceAll(/[\\/:*?"<>|]/g, '_') || 'codes'
