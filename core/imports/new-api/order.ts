// An order at a payment service.
import { Decimal } from 'decimal.js'
import { fillTemplate, words } from '../../errors.ts'
import type { ImportedOrder } from '../imported-rows.ts'
import { getCellCount, getCellDecimal, getCellText, getCellTime, getCellWord } from '../cells.ts'
import type { RowChangeNotes, SourceRow } from '../cells.ts'
import type { SkippedRow, SourceFacts } from '../product.ts'

export function convertNewApiOrder(row: SourceRow, { users, units }: SourceFacts): ImportedOrder | SkippedRow {
  const [id, trade_no, user] = [getCellWord(row, 'id'), getCellWord(row, 'trade_no'), getCellWord(row, 'user_id')]
  const label = { kind: 'topup' as const, id, name: trade_no }
  if (trade_no === '') return { ...label, left: words('it has no number') }
  if (!users.has(user)) return { ...label, left: fillTemplate(words('its user {user} is not there'), { user }) }
  const notes: RowChangeNotes = []
  const status = getCellText(row, 'status')
  const amount = getCellCount(row, 'amount')
  if (status !== 'pending' && status !== 'success' && status !== 'expired')
    notes.push(fillTemplate(words('its state "{status}" is not known here: expired'), { status }))
  return {
    ...label,
    notes,
    user,
    trade_no,
    amount,
    money: toHundredths(getCellDecimal(row, 'money'), notes),
    quota: Math.min(Number.MAX_SAFE_INTEGER, Math.round(amount * units)),
    status: status === 'pending' || status === 'success' ? status : 'expired',
    create_time: getCellTime(row, 'create_time'),
  }
}

function toHundredths(money: string, notes: RowChangeNotes): number {
  const exact = new Decimal(money || 0).times(100)
  const rounded = exact.toDecimalPlaces(0, Decimal.ROUND_HALF_UP)
  if (!rounded.equals(exact))
    notes.push(
      fillTemplate(words('{money} was paid: hundredths are stored, {dividedBy}'), {
        money,
        dividedBy: rounded.dividedBy(100).toString(),
      }),
    )
  return Math.max(-Number.MAX_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, rounded.toNumber()))
}
