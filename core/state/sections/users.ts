// The section `users` of a state file, written on request: accounts and their permissions. Files do not change
// balances.
import { z } from 'zod'
import { RemarkText } from '../../contract/remark.ts'
import { fail, words } from '../../errors.ts'
import { seconds } from '../../ports/clock.ts'
import type { ChangeStores } from '../../ports/storage.ts'
import { DisplayName, USER_ROLE, USER_STATUS, UsernameText, type User } from '../../users/user.ts'
import { type StoredSection, writeSectionAudit } from '../section.ts'
import type { StateEntry } from '../state.ts'

const UserEntry = z
  .strictObject({
    display_name: DisplayName,
    email: z.string().max(100),
    role: z.enum(['user', 'admin']),
    group: z.string().min(1),
    enabled: z.boolean(),
    /** The hash that Weir stores, not the password. */
    password_hash: z.string(),
    remark: RemarkText,
  })
  .partial()
type UserEntry = z.infer<typeof UserEntry>

/** Lists every user except the super administrator, who belongs to the installation. */
export async function listOrdinaryUsers({ users }: ChangeStores): Promise<User[]> {
  const all: User[] = []
  for (let offset = 0; ;) {
    const { items, total } = await users.list({ offset, limit: 1000 })
    all.push(...items)
    offset += items.length
    if (items.length === 0 || offset >= total) return all.filter((user) => user.DeletedAt === null)
  }
}

const isListed = ({ role }: User) => role !== USER_ROLE.root

async function toEntry(user: User, { users }: ChangeStores): Promise<Required<UserEntry>> {
  return {
    display_name: user.display_name,
    email: user.email,
    group: user.group,
    role: user.role >= USER_ROLE.admin ? 'admin' : 'user',
    enabled: user.status === USER_STATUS.enabled,
    password_hash: await users.passwordHash(user.id),
    remark: user.remark,
  }
}

const toUserFields = ({ role, enabled, ...fields }: UserEntry) => ({
  ...fields,
  ...(role === undefined ? {} : { role: role === 'admin' ? USER_ROLE.admin : USER_ROLE.user }),
  ...(enabled === undefined ? {} : { status: enabled ? USER_STATUS.enabled : USER_STATUS.disabled }),
})

export const usersStateSection: StoredSection = {
  in: 'stores',
  name: 'users',
  comment: words('People by username, but for the super administrator. Balances are moved by people, not by files'),
  entry: UserEntry as z.ZodType<StateEntry>,
  key: UsernameText,
  defaults: { email: '', role: 'user', group: 'default', enabled: true, password_hash: '', remark: '' },
  onRequest: true,
  secrets: (_key, entry) => ((entry as UserEntry).password_hash ? [['password_hash']] : []),
  async read(stores) {
    const manageable = (await listOrdinaryUsers(stores)).filter(isListed)
    const entries = manageable.map(
      async (user) => [user.username, (await toEntry(user, stores)) as StateEntry] as const,
    )
    return { entries: new Map(await Promise.all(entries)), initial: new Map() }
  },
  async writer(to) {
    const { within, settings, clock } = to
    const known = new Map((await listOrdinaryUsers(within)).map((user) => [user.username, user]))
    const record = writeSectionAudit('user', to)
    return async ({ key: username, target }) => {
      const before = known.get(username)
      if (target === null) {
        if (!before || !isListed(before)) return
        await within.users.update(before.id, { deleted_at: seconds(clock), status: USER_STATUS.disabled })
        return record('delete', before.id, { username })
      }
      const { group } = target as UserEntry
      if (group !== undefined && !Object.hasOwn(settings.GroupRatio, group)) fail('group.missing', { group })
      const { status, ...fields } = toUserFields(target as UserEntry)
      if (before && !isListed(before)) fail('state.root', { username })
      const fresh = { display_name: username, role: USER_ROLE.user, group: 'default', password_hash: '' }
      const made = { ...fresh, ...fields, username, created_time: seconds(clock) }
      const id = before?.id ?? (await within.users.insert(made)).id
      if (before) await within.users.update(id, fields, { version: before.version, raises: true })
      if (status !== undefined) await within.users.update(id, { status })
      const { password_hash: _hash, ...audited } = fields
      await record(before ? 'edit' : 'create', id, null, { username, ...audited })
    }
  },
}
