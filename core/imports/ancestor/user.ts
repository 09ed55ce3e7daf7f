// A user of one-api, or of what came of it.
import { Email } from '../../auth/email-address.ts'
import { MAX_REMARK } from '../../contract/remark.ts'
import { fillTemplate, joinList, words } from '../../errors.ts'
import { DisplayName, ROLE, USER_STATUS, UserSetting } from '../../users/user.ts'
import type { UserArrival } from '../arrival.ts'
import {
  cellAmount,
  cellCount,
  cellObject,
  cellText,
  cellWhole,
  cellWord,
  type Notes,
  type SourceRow,
} from '../cells.ts'
import type { LeftRow } from '../product.ts'

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
export function ancestorUser(row: SourceRow, deleted_at: number | null): UserArrival | LeftRow {
  const id = cellWord(row, 'id')
  const typed = cellText(row, 'username')
  const label = { kind: 'user' as const, id, name: typed }
  if (typed.trim() === '') return { ...label, left: words('it has no name') }
  const notes: Notes = []
  const username = convertName(typed, notes)
  return {
    ...label,
    notes,
    username,
    deleted_at,
    display_name: displayName(cellText(row, 'display_name'), username, notes),
    password_hash: convertPassword(cellWord(row, 'password'), notes),
    role: convertRole(cellWhole(row, 'role'), notes),
    status:
      cellWhole(row, 'status') === USER_STATUS.enabled || deleted_at !== null
        ? USER_STATUS.enabled
        : USER_STATUS.disabled,
    email: convertEmail(cellWord(row, 'email'), notes),
    group: cellWord(row, 'group').slice(0, MOST_GROUP) || 'default',
    quota: cellAmount(row, 'quota', notes),
    used_quota: cellAmount(row, 'used_quota', notes),
    request_count: cellCount(row, 'request_count'),
    aff_code: cellWord(row, 'aff_code'),
    aff_count: cellCount(row, 'aff_count'),
    aff_quota: cellAmount(row, 'aff_quota', notes),
    aff_history: cellAmount(row, 'aff_history', notes),
    inviter: cellWhole(row, 'inviter_id') > 0 ? cellWord(row, 'inviter_id') : '',
    setting: convertSetting(row, notes),
    remark: cellText(row, 'remark').trim().slice(0, MAX_REMARK),
    access_token: cellWord(row, 'access_token'),
    identities: Object.fromEntries(
      Object.entries(IDENTITY_COLUMNS)
        .map(([service, column]) => [service, cellWord(row, column)] as const)
        .filter(([, subject]) => subject !== ''),
    ),
  }
}

/**
 * Returns the username. It may be longer than a form allows, so that users can still sign in with it; hidden or
 * misleading characters are removed.
 */
function convertName(typed: string, notes: Notes): string {
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

function displayName(shown: string, username: string, notes: Notes): string {
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

function convertPassword(hash: string, notes: Notes): string {
  if (hash === '' || BCRYPT.test(hash)) return hash
  notes.push(words('its password is kept in a way that is not known here: it needs a new one'))
  return ''
}

function convertRole(role: number, notes: Notes): number {
  const known: readonly number[] = Object.values(ROLE)
  if (known.includes(role)) return role
  notes.push(fillTemplate(words('role {role} is not known here: an ordinary user came'), { role }))
  return ROLE.user
}

function convertEmail(email: string, notes: Notes): string {
  if (email === '' || Email.safeParse(email).success) return email
  notes.push(fillTemplate(words('"{email}" is no e-mail address and was left out'), { email }))
  return ''
}

/** Member by member: one that cannot be read does not take the others with it. */
function convertSetting(row: SourceRow, notes: Notes): string {
  const sourceSetting = cellObject(row, 'setting', notes)
  const isSetting = (name: string, value: unknown) =>
    Object.hasOwn(UserSetting.shape, name) && UserSetting.safeParse({ [name]: value }).success
  const accepted = Object.entries(sourceSetting).filter(([name, value]) => isSetting(name, value))
  const names = new Set(accepted.map(([name]) => name))
  const lost = Object.keys(sourceSetting).filter((name) => !names.has(name))
  if (lost.length > 0)
    notes.push(fillTemplate(words('settings without a place here: {lost}'), { lost: joinList(lost) }))
  return accepted.length === 0 ? '' : JSON.stringify(Object.fromEntries(accepted))
}
