// Converts a user of one-api, or of a product derived from it.
import { EmailAddress } from '../../auth/email-address.ts'
import { MAX_REMARK_LENGTH } from '../../contract/remark.ts'
import { fillTemplate, joinList, words } from '../../errors.ts'
import { DisplayName, USER_ROLE, USER_STATUS, getUserSettingSchema } from '../../users/user.ts'
import type { ImportedUser } from '../imported-rows.ts'
import type { RowChangeNotes, SourceRow } from '../cells.ts'
import { getCellAmount, getCellCount, getCellObject, getCellText, getCellWhole, getCellWord } from '../cells.ts'
import type { SkippedRow } from '../product.ts'

/** Columns with a user's identity at another service, by the service's name in Weir. */
const IDENTITY_COLUMNS = {
  github: 'github_id',
  oidc: 'oidc_id',
  wechat: 'wechat_id',
  telegram: 'telegram_id',
  linuxdo: 'linux_do_id',
  lark: 'lark_id',
} as const

/** A dearer one would keep a core busy for minutes at each try. */
const BCRYPT = /^\$2[abxy]\$(0[4-9]|1[0-5])\$[./A-Za-z0-9]{53}$/
const MOST_GROUP = 64

/** @param deleted_at when the account ended, in epoch seconds; null while it lives */
export function convertAncestorUser(row: SourceRow, deleted_at: number | null): ImportedUser | SkippedRow {
  const id = getCellWord(row, 'id')
  const typed = getCellText(row, 'username')
  const label = { kind: 'user' as const, id, name: typed }
  if (typed.trim() === '') return { ...label, left: words('it has no name') }
  const notes: RowChangeNotes = []
  const username = convertName(typed, notes)
  return {
    ...label,
    notes,
    username,
    deleted_at,
    display_name: displayName(getCellText(row, 'display_name'), username, notes),
    password_hash: convertPassword(getCellWord(row, 'password'), notes),
    role: convertRole(getCellWhole(row, 'role'), notes),
    status:
      getCellWhole(row, 'status') === USER_STATUS.enabled || deleted_at !== null
        ? USER_STATUS.enabled
        : USER_STATUS.disabled,
    email: convertEmail(getCellWord(row, 'email'), notes),
    group: getCellWord(row, 'group').slice(0, MOST_GROUP) || 'default',
    quota: getCellAmount(row, 'quota', notes),
    used_quota: getCellAmount(row, 'used_quota', notes),
    request_count: getCellCount(row, 'request_count'),
    aff_code: getCellWord(row, 'aff_code'),
    aff_count: getCellCount(row, 'aff_count'),
    aff_quota: getCellAmount(row, 'aff_quota', notes),
    aff_history: getCellAmount(row, 'aff_history', notes),
    inviter: getCellWhole(row, 'inviter_id') > 0 ? getCellWord(row, 'inviter_id') : '',
    setting: convertSetting(row, notes),
    remark: getCellText(row, 'remark').trim().slice(0, MAX_REMARK_LENGTH),
    access_token: getCellWord(row, 'access_token'),
    identities: Object.fromEntries(
      Object.entries(IDENTITY_COLUMNS)
        .map(([service, column]) => [service, getCellWord(row, column)] as const)
        .filter(([, subject]) => subject !== ''),
    ),
  }
}

/**
 * Returns the username. It may be longer than a form allows, so that users can still sign in with it; hidden or
 * misleading characters are removed.
 */
function convertName(typed: string, notes: RowChangeNotes): string {
  const name = typed
    .replace(/[\p{C}\p{Default_Ignorable_Code_Point}\u2800]/gu, '')
    .replaceAll('@', '_')
    .trim()
  const accepted = name || 'user'
  if (accepted !== typed)
    notes.push(
      fillTemplate(words('the name "{typed}" cannot be one here: it is "{accepted}" now'), { typed, accepted }),
    )
  return accepted
}

function displayName(shown: string, username: string, notes: RowChangeNotes): string {
  if (shown.trim() === '') return username
  const parsed = DisplayName.safeParse(shown)
  if (parsed.success) return parsed.data
  const accepted = [...shown.replace(/\p{C}/gu, '').trim()]
    .slice(0, 20)
    .join('')
    .slice(0, 20)
    .replace(/\p{Cs}$/u, '')
  notes.push(fillTemplate(words('the display name "{shown}" was cut to "{accepted}"'), { shown, accepted }))
  return accepted || username
}

function convertPassword(hash: string, notes: RowChangeNotes): string {
  if (hash === '' || BCRYPT.test(hash)) return hash
  notes.push(words('its password hash has an unknown format: it needs a new password'))
  return ''
}

function convertRole(role: number, notes: RowChangeNotes): number {
  const known: readonly number[] = Object.values(USER_ROLE)
  if (known.includes(role)) return role
  notes.push(fillTemplate(words('role {role} is not known here: an ordinary user came'), { role }))
  return USER_ROLE.user
}

function convertEmail(email: string, notes: RowChangeNotes): string {
  if (email === '' || EmailAddress.safeParse(email).success) return email
  notes.push(fillTemplate(words('"{email}" is no e-mail address and was left out'), { email }))
  return ''
}

/** Member by member: one that cannot be read does not take the others with it. */
function convertSetting(row: SourceRow, notes: RowChangeNotes): string {
  const sourceSetting = getCellObject(row, 'setting', notes)
  const isSetting = (name: string, value: unknown) =>
    Object.hasOwn(getUserSettingSchema().shape, name) && getUserSettingSchema().safeParse({ [name]: value }).success
  const accepted = Object.entries(sourceSetting).filter(([name, value]) => isSetting(name, value))
  const names = new Set(accepted.map(([name]) => name))
  const lost = Object.keys(sourceSetting).filter((name) => !names.has(name))
  if (lost.length > 0)
    notes.push(fillTemplate(words('settings without a place here: {lost}'), { lost: joinList(lost) }))
  return accepted.length === 0 ? '' : JSON.stringify(Object.fromEntries(accepted))
}
