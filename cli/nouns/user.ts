// Display of accounts, and search by name.
import type { WeirClient } from '../../core/contracts.ts'
import { words } from '../../core/errors.ts'
import { ROLE, type User } from '../../core/users/user.ts'
import { Refusal } from '../failure.ts'
import { count, text, time, money, word, type View } from '../view.ts'
import { STATES, stateTone, wordOf } from './states.data.ts'

const ROLES = {
  user: words('user', '普通用户'),
  admin: words('administrator', '管理员'),
  root: words('super administrator', '超级管理员'),
}

export const stateOf = ({ DeletedAt, status }: User): keyof typeof STATES =>
  DeletedAt ? 'deleted' : status === 1 ? 'enabled' : 'disabled'

export const userView: View<User> = {
  id: count(words('ID', '编号'), 1, ({ id }) => id),
  username: text(words('USERNAME', '用户名'), 1, (user) => user.username, { flexible: true, tone: () => 'strong' }),
  display_name: text(words('DISPLAY NAME', '显示名称'), 0, (user) => user.display_name),
  email: text(words('E-MAIL', '邮箱'), 0, ({ email }) => email),
  role: word(words('ROLE', '角色'), 3, ROLES, ({ role }) => wordOf(ROLE, role)),
  status: word(words('STATUS', '状态'), 2, STATES, stateOf, { tone: (user) => stateTone(stateOf(user)) }),
  group: text(words('GROUP', '分组'), 3, (user) => user.group, { flexible: true }),
  quota: money(words('QUOTA', '余额'), 1, ({ quota }) => quota),
  used_quota: money(words('USED', '已用'), 2, (user) => user.used_quota),
  request_count: count(words('CALLS', '调用次数'), 4, (user) => user.request_count),
  created: time(words('CREATED', '创建时间'), 5, (user) => user.created_time),
  remark: text(words('REMARK', '备注'), 5, ({ remark }) => remark || null, { flexible: true }),
}

/** A user with the generated password; null if the password was given. */
export const userWithPasswordView: View<User & { password: string | null }> = {
  ...userView,
  password: text(words('PASSWORD', '密码'), 0, ({ password }) => password),
}

/** Returns the id of an account by id or username. @throws Refusal if none matches */
export const needUserId = async (weir: WeirClient, name: string): Promise<number> =>
  /^\d+$/.test(name) ? Number(name) : (await needUser(weir, name)).id

/** Returns the account by id or username. @throws Refusal if none matches */
export async function needUser(weir: WeirClient, name: string): Promise<User> {
  if (/^\d+$/.test(name)) return weir.users.get({ id: Number(name) })
  const { items } = await weir.users.search({ keyword: name, page_size: 100 })
  const found = items.find(({ username }) => username.toLowerCase() === name.toLowerCase())
  if (found) return found
  throw new Refusal(
    words(`No user is called "${name}": see \`weir users\`.`, `没有名为 "${name}" 的用户：见 \`weir users\`。`),
    'user.missing',
  )
}
