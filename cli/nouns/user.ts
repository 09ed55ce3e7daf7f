// Display of accounts, and search by name.
import type { WeirClient } from '../../core/contracts.ts'
import { USER_ROLE, type User } from '../../core/users/user.ts'
import { words } from '../texts.ts'
import { findByName } from './names.ts'
import { count, text, time, money, word, type OutputView } from '../output/view.ts'
import { STATES, stateTone, toStateWord } from './states.data.ts'

const ROLES = {
  user: words('user', { context: 'role' }),
  admin: words('administrator'),
  root: words('super administrator'),
}

export const getUserState = ({ DeletedAt, status }: User): keyof typeof STATES =>
  DeletedAt ? 'deleted' : status === 1 ? 'enabled' : 'disabled'

export const userRowView: OutputView<User> = {
  id: count(words('ID'), 1, ({ id }) => id),
  username: text(words('USERNAME'), 1, (user) => user.username, { flexible: true, tone: () => 'strong' }),
  display_name: text(words('DISPLAY NAME'), 0, (user) => user.display_name),
  email: text(words('E-MAIL'), 0, ({ email }) => email),
  role: word(words('ROLE'), 3, ROLES, ({ role }) => toStateWord(USER_ROLE, role)),
  status: word(words('STATUS'), 2, STATES, getUserState, { tone: (user) => stateTone(getUserState(user)) }),
  group: text(words('GROUP'), 3, (user) => user.group, { flexible: true }),
  quota: money(words('QUOTA', { context: 'balance' }), 1, ({ quota }) => quota),
  used_quota: money(words('USED'), 2, (user) => user.used_quota),
  request_count: count(words('CALLS'), 4, (user) => user.request_count),
  created: time(words('CREATED'), 5, (user) => user.created_time),
  remark: text(words('REMARK'), 5, ({ remark }) => remark || null, { flexible: true }),
}

/** A user with the generated password; null if the password was given. */
export const userWithPasswordView: OutputView<User & { password: string | null }> = {
  ...userRowView,
  password: text(words('PASSWORD'), 0, ({ password }) => password),
}

/** A new user, with the generated password and the link of an invitation; each is null if there is none. */
export const newUserView: OutputView<User & { password: string | null; link: string | null }> = {
  ...userWithPasswordView,
  link: text(words('LINK'), 0, ({ link }) => link),
}

/** Returns the id of an account by id or username. @throws Refusal if none matches */
export const needUserId = async (weir: WeirClient, name: string): Promise<number> =>
  /^\d+$/.test(name) ? Number(name) : (await findRequiredUser(weir, name)).id

/** Returns the account by id or username. @throws Refusal if none matches */
export async function findRequiredUser(weir: WeirClient, name: string): Promise<User> {
  if (/^\d+$/.test(name)) return weir.users.get({ id: Number(name) })
  const { items } = await weir.users.search({ keyword: name, page_size: 100 })
  return findByName({
    name,
    rows: items,
    getNames: ({ username }) => [username],
    describe: ({ id }) => String(id),
    missing: words('No user is called "{name}": see `weir users`.'),
    several: words('Several users are called "{name}": give the id, one of {ids}.'),
    kind: 'user',
    listNames: async () => {
      const near = await weir.users.search({ keyword: name.slice(0, SEARCHED_LETTERS), page_size: 100 })
      const first = await weir.users.list({ page_size: 100 })
      return [...near.items, ...first.items].map(({ username }) => username)
    },
  })
}

/** Letters with which similar usernames begin; a list of all of them could be long. */
const SEARCHED_LETTERS = 2
