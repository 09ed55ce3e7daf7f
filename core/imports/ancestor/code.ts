// A redemption code of one-api, or of what came of it.
import { words } from '../../errors.ts'
import { REDEMPTION_STATUS } from '../../redemptions/redemption.ts'
import type { CodeArrival } from '../arrival.ts'
import { cellAmount, cellText, cellTime, cellWhole, cellWord, type Notes, type SourceRow } from '../cells.ts'
import type { LeftRow } from '../product.ts'

export function ancestorCode(row: SourceRow, is_deleted: boolean): CodeArrival | LeftRow {
  const label = { kind: 'redemption' as const, id: cellWord(row, 'id'), name: cellText(row, 'name') }
  const key = cellWord(row, 'key')
  if (key === '') return { ...label, left: words('it has no code', '没有兑换码') }
  const notes: Notes = []
  const quota = cellAmount(row, 'quota', notes)
  const status = cellWhole(row, 'status')
  const known: readonly number[] = Object.values(REDEMPTION_STATUS)
  if (!known.includes(status))
    notes.push(words(`its state ${status} is not known here: it is disabled`, `未知状态 ${status}：已停用`))
  if (quota < 0) notes.push(words(`it was worth ${quota}: it is disabled`, `其额度为 ${quota}：已停用`))
  return {
    ...label,
    notes,
    key,
    quota,
    is_deleted,
    status:
      known.includes(status) && (quota >= 0 || status === REDEMPTION_STATUS.used) ? status : REDEMPTION_STATUS.disabled,
    created_time: cellTime(row, 'created_time'),
    redeemed_time: cellTime(row, 'redeemed_time'),
    expired_time: cellTime(row, 'expired_time'),
    user: cellWord(row, 'user_id'),
    used_by: cellWord(row, 'used_user_id'),
  }
}
