// A redemption code of one-api, or of what came of it.
import { fillTemplate, words } from '../../errors.ts'
import { REDEMPTION_STATUS } from '../../redemptions/redemption.ts'
import type { ImportedCode } from '../imported-rows.ts'
import { getCellAmount, getCellText, getCellTime, getCellWhole, getCellWord } from '../cells.ts'
import type { RowChangeNotes, SourceRow } from '../cells.ts'
import type { SkippedRow, SourceFacts } from '../product.ts'

export function convertAncestorCode(
  row: SourceRow,
  { now }: SourceFacts,
  is_deleted: boolean,
): ImportedCode | SkippedRow {
  const label = { kind: 'redemption' as const, id: getCellWord(row, 'id'), name: getCellText(row, 'name') }
  const key = getCellWord(row, 'key')
  if (key === '') return { ...label, left: words('it has no code') }
  const notes: RowChangeNotes = []
  const quota = getCellAmount(row, 'quota', notes)
  const status = getCellWhole(row, 'status')
  const known: readonly number[] = Object.values(REDEMPTION_STATUS)
  if (!known.includes(status))
    notes.push(fillTemplate(words('its state {status} is not known here: it is disabled'), { status }))
  if (quota < 0) notes.push(fillTemplate(words('it was worth {quota}: it is disabled'), { quota }))
  const expired_time = getCellTime(row, 'expired_time')
  const isUsed = status === REDEMPTION_STATUS.used
  if (expired_time > 0 && expired_time <= now && !isUsed)
    notes.push(
      fillTemplate(words('it expired at {expired_time}: it cannot be redeemed'), {
        expired_time: toDate(expired_time),
      }),
    )
  const isValid = known.includes(status) && quota >= 0
  return {
    ...label,
    notes,
    key,
    quota,
    is_deleted,
    status: isUsed || isValid ? status : REDEMPTION_STATUS.disabled,
    created_time: getCellTime(row, 'created_time'),
    redeemed_time: getCellTime(row, 'redeemed_time'),
    expired_time,
    user: getCellWord(row, 'user_id'),
    used_by: getCellWord(row, 'used_user_id'),
  }
}

/** @param seconds epoch seconds */
const toDate = (seconds: number): string => new Date(seconds * 1000).toISOString()
