// Converts a token of one-api, or of a product derived from it. Each product supplies its own limits.
import { fillTemplate, joinList, words } from '../../errors.ts'
import { isAddressOrRange } from '../../tokens/allowed-address.ts'
import { isExhausted, isExpired, parseSeparatedList, NEVER_EXPIRES, TOKEN_STATUS } from '../../tokens/token.ts'
import type { ImportedToken } from '../imported-rows.ts'
import { getCellAmount, getCellFlag, getCellText, getCellTime, getCellWhole, getCellWord } from '../cells.ts'
import type { RowChangeNotes, SourceRow } from '../cells.ts'
import type { SkippedRow, SourceFacts } from '../product.ts'

interface TokenLimits {
  /** Comma list, or empty for all. */
  models: string
  /** True if the token is limited to these models. */
  limited: boolean
  /** One address or range per line. */
  addresses: string
  group: string
  deleted_at: number | null
}

const MOST_NAME = 30

export function convertAncestorToken(
  row: SourceRow,
  { users, now }: SourceFacts,
  limits: TokenLimits,
): ImportedToken | SkippedRow {
  const [id, key, user] = [getCellWord(row, 'id'), getCellWord(row, 'key'), getCellWord(row, 'user_id')]
  const key_digest = getCellWord(row, 'key_digest')
  const label = { kind: 'token' as const, id, name: getCellText(row, 'name') }
  if (!users.has(user)) return { ...label, left: fillTemplate(words('its user {user} is not there'), { user }) }
  if (key === '' && key_digest === '') return { ...label, left: words('it has no key') }
  if (/[\s-]/.test(key)) return { ...label, left: words('its key has signs that end a key here') }
  const notes: RowChangeNotes = []
  const token = {
    expired_time: getExpiry(row),
    remain_quota: getCellAmount(row, 'remain_quota', notes),
    unlimited_quota: getCellFlag(row, 'unlimited_quota'),
  }
  return {
    ...label,
    notes,
    user,
    key,
    ...token,
    key_digest,
    name: convertName(label.name, notes),
    status: convertStatus(getCellWhole(row, 'status'), token, now, notes),
    created_time: getCellTime(row, 'created_time'),
    accessed_time: getCellTime(row, 'accessed_time'),
    used_quota: getCellAmount(row, 'used_quota', notes),
    model_limits_enabled: limits.limited,
    model_limits: parseSeparatedList(limits.models).join(','),
    allow_ips: convertAddresses(limits.addresses, notes),
    group: limits.group,
    budget_day: 0,
    budget_week: 0,
    budget_month: 0,
    requests_per_minute: 0,
    tokens_per_minute: 0,
    max_concurrent: 0,
    deleted_at: limits.deleted_at,
  }
}

const getExpiry = (row: SourceRow): number => {
  const end = getCellWhole(row, 'expired_time')
  return end < 0 || getCellWord(row, 'expired_time') === '' ? NEVER_EXPIRES : getCellTime(row, 'expired_time')
}

function convertName(name: string, notes: RowChangeNotes): string {
  if (name.length <= MOST_NAME) return name
  const shortened = name.slice(0, MOST_NAME).replace(/\p{Cs}$/u, '')
  notes.push(fillTemplate(words('the name was cut to "{shortened}"'), { shortened }))
  return shortened
}

/**
 * Returns the status. Expired and exhausted follow from time and quota, so a token that was refused for another reason
 * stays refused.
 */
function convertStatus(
  status: number,
  token: { expired_time: number; remain_quota: number; unlimited_quota: boolean },
  now: number,
  notes: RowChangeNotes,
): number {
  if (status === TOKEN_STATUS.enabled || status === TOKEN_STATUS.disabled) return status
  if (status === TOKEN_STATUS.expired && isExpired(token, now)) return status
  if (status === TOKEN_STATUS.exhausted && isExhausted(token)) return status
  notes.push(
    fillTemplate(
      words('its state was {status}, although it has neither expired nor run out of quota: it is disabled'),
      {
        status,
      },
    ),
  )
  return TOKEN_STATUS.disabled
}

/**
 * Returns the address list. An invalid line matches no address, and it stays: without it the token would be open to
 * every address.
 */
function convertAddresses(addresses: string, notes: RowChangeNotes): string {
  const lines = parseSeparatedList(addresses)
  const bad = lines.filter((line) => !isAddressOrRange(line))
  if (bad.length > 0)
    notes.push(fillTemplate(words('{bad} is no address: no client is let in, as before'), { bad: joinList(bad) }))
  return lines.join('\n')
}
