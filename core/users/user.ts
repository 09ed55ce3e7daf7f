// An account. `quota` is its spendable balance in quota units and moves only through the ledger.
import { z } from 'zod'
import { declareShapeFields, field } from '../contract/field.ts'
import { UnreadableFields } from '../contract/filter.ts'
import { declareListing } from '../contract/page.ts'
import { RowVersion } from '../contract/version.ts'
import { isVisible } from '../contract/visible.ts'
import { fillTemplate, words } from '../errors.ts'
import { buildOnce } from '../memoize.ts'
import { type IdentityField, signInServiceList } from '../settings/sign-in-services.ts'
import { userFields } from './user-fields.data.ts'

export const USER_ROLE = { user: 1, admin: 10, root: 100 } as const
/** The roles by name. */
export type UserRoleName = keyof typeof USER_ROLE
export const USER_ROLE_NAMES = Object.keys(USER_ROLE) as [UserRoleName, ...UserRoleName[]]
export const USER_STATUS = { enabled: 1, disabled: 2 } as const
/** The states by which users are listed: a deregistered account is neither enabled nor disabled. */
export const USER_STATES = ['enabled', 'disabled', 'deregistered'] as const
export type UserState = (typeof USER_STATES)[number]

/** How users can be sorted. */
export const userListOrder = declareListing({
  name: 'users',
  columns: [
    'id',
    'username',
    'display_name',
    'group',
    'role',
    'status',
    'quota',
    'used_quota',
    'request_count',
    'aff_count',
  ],
  first: '-id',
  sums: ['quota', 'used_quota', 'request_count'],
})

/** Their identities at other services. */
const identities = Object.fromEntries(
  signInServiceList.map(({ name, field: shown }) => {
    const help = fillTemplate(words('Account at {name} that is bound'), { name })
    return [shown, field(z.string(), { label: name, help, example: '' })]
  }),
) as Record<IdentityField, z.ZodString>

export const User = z.object(
  declareShapeFields(userFields, {
    id: z.number(),
    username: z.string(),
    display_name: z.string(),
    role: z.number(),
    status: z.number(),
    email: z.string(),
    ...identities,
    group: z.string(),
    quota: z.number(),
    used_quota: z.number(),
    request_count: z.number(),
    aff_count: z.number(),
    aff_quota: z.number(),
    aff_history_quota: z.number(),
    inviter_id: z.number(),
    /** JSON text of UserSetting. */
    setting: z.string(),
    /** A remark that only administrators see. */
    remark: z.string(),
    created_time: z.number(),
    /** RFC 3339 text once deregistered. */
    DeletedAt: z.string().nullable(),
    version: RowVersion,
    unreadable: UnreadableFields,
  }),
)
export type User = z.infer<typeof User>

/**
 * Returns the schema of the settings of a user's account, which are stored as JSON text in `setting`. It is built when it
 * is first used: most commands of the terminal need no schema.
 */
export const getUserSettingSchema = buildOnce(() =>
  z.object({
    notify_type: z.enum(['email', 'webhook']).optional(),
    quota_warning_threshold: z.number().optional(),
    webhook_url: z.string().optional(),
    /** Encrypted. */
    webhook_secret: z.string().optional(),
    notification_email: z.string().optional(),
    accept_unset_model_ratio_model: z.boolean().optional(),
    /** The language of messages: that of the last sign-in or of the last saved form. */
    language: z.enum(['en', 'zh']).optional(),
  }),
)
export type UserSetting = z.infer<ReturnType<typeof getUserSettingSchema>>

/** The user's own settings; unreadable text counts as none. */
export function parseUserSetting(user: Pick<User, 'setting'>): UserSetting {
  if (user.setting === '') return {}
  try {
    return getUserSettingSchema().parse(JSON.parse(user.setting))
  } catch {
    return {}
  }
}

export const isAdmin = (user: Pick<User, 'role'>) => user.role >= USER_ROLE.admin
export const isRoot = (user: Pick<User, 'role'>) => user.role >= USER_ROLE.root

/** Returns true if all characters are visible: no fillers or joiners. */
const isDrawn = (text: string): boolean => isVisible(text) && !/\p{Default_Ignorable_Code_Point}|\u2800/u.test(text)

export const MAX_USERNAME_LENGTH = 12
export const MIN_PASSWORD_LENGTH = 8
export const MAX_PASSWORD_LENGTH = 20

/** Username up to 12 characters, non-blank; one with an @ would be taken for an e-mail address. */
export const UsernameText = z
  .string()
  .trim()
  .min(1)
  .max(MAX_USERNAME_LENGTH)
  .refine((name) => isDrawn(name) && !name.includes('@'))
/** Password of 8 to 20 characters. */
export const PasswordText = z.string().min(MIN_PASSWORD_LENGTH).max(MAX_PASSWORD_LENGTH)
export const MAX_DISPLAY_NAME = 20
export const DisplayName = z.string().trim().max(MAX_DISPLAY_NAME).refine(isVisible)
export const GroupName = z.string().trim().min(1).max(64)

/**
 * A user as others see them. `quota_before` in an edited row is the balance that its author read; the code of the invitation
 * link is in the own account only.
 */
export const ShownUser = User.extend({ quota_before: z.number(), aff_code: z.string().optional() })
z.globalRegistry.add(ShownUser, { id: 'User' })
export type ShownUser = z.infer<typeof ShownUser>

/** All fields of a user, with the one that is only written. */
export const UserRow = ShownUser.extend({ password: z.string() })

/** Returns the user as administrators see them: with the remark. */
export const toAdministratorsUser = (user: User): ShownUser => ({ ...toShownUser(user), remark: user.remark })

/** Returns the user with their settings, except the webhook's secret and the remark of administrators. */
export function toShownUser(user: User): ShownUser {
  const { webhook_secret: _hidden, ...setting } = parseUserSetting(user)
  return {
    ...user,
    remark: '',
    quota_before: user.quota,
    setting: user.setting === '' ? '' : JSON.stringify(setting),
  }
}

// The identities of a user at other services.

/** One service's name for a user. Times in epoch seconds. */
export interface ExternalAccount {
  /** As in `/api/oauth/{type}`. */
  provider: string
  /** Compared letter for letter. */
  subject: string
  user_id: number
  created_time: number
}

/**
 * Returns true if the text can be stored unchanged. Databases cannot store NUL or half a surrogate pair, and replace
 * them all by the same character, so two users could become one.
 */
export const isSubject = (subject: string): boolean => subject !== '' && !/\0|\p{Cs}/u.test(subject)

export interface ExternalAccountStore {
  /** Null also for what is no subject. */
  find(provider: string, subject: string): Promise<ExternalAccount | null>
  listOfUser(userId: number): Promise<ExternalAccount[]>
  /**
   * Replaces this user's identity at the service. @throws GatewayError oauth.subject, oauth.taken if it belongs to
   * another user
   */
  bind(identity: ExternalAccount): Promise<void>
  /** Returns false if there was none. */
  unbind(userId: number, provider: string): Promise<boolean>
}
