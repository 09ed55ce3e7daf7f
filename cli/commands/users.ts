// `weir users …`: who has an account.
import type { User } from '../../core/users/user.ts'
import { command, group } from '../command.ts'
import { quotaText, roleName, timeText, type MoneyView } from '../format.ts'
import { wholeNumber } from '../input.ts'
import type { Column } from '../output.ts'

const columns = (money: MoneyView): Column<User>[] => [
  { title: 'ID', rank: 1, value: (user) => user.id, right: true },
  { title: 'USERNAME', rank: 1, flexible: true, value: (user) => user.username, tone: () => 'strong' },
  { title: 'ROLE', rank: 3, value: (user) => roleName(user.role) },
  { title: 'STATUS', rank: 2, value: stateOf, tone: (user) => (stateOf(user) === 'enabled' ? 'good' : 'careful') },
  { title: 'GROUP', rank: 3, flexible: true, value: (user) => user.group },
  { title: 'QUOTA', rank: 1, value: (user) => quotaText(user.quota, money), right: true },
  { title: 'USED', rank: 2, value: (user) => quotaText(user.used_quota, money), right: true },
  { title: 'CALLS', rank: 4, value: (user) => user.request_count, right: true },
  { title: 'CREATED', rank: 5, value: (user) => timeText(user.created_time) },
]

const list = command({
  name: 'list',
  summary: 'List users, newest first',
  options: {
    search: { flag: '--search <text>', help: 'part of the username, display name or e-mail, or an id' },
    group: { flag: '--group <name>', help: 'only users of this group' },
    page: { flag: '--page <number>', help: 'page, from 1' },
    limit: { flag: '--limit <number>', help: 'users per page, up to 100 (otherwise 50)' },
  },
  async run({ client, print, options }) {
    const slice = {
      p: wholeNumber('--page', options.page ?? '1'),
      page_size: wholeNumber('--limit', options.limit ?? '50'),
    }
    const { search, group } = options
    const weir = await client()
    const page =
      search !== undefined || group !== undefined
        ? await weir.users.search({ ...slice, keyword: search ?? '', group: group ?? '' })
        : await weir.users.list(slice)
    const { items, total } = page
    print.rows(items, columns(await weir.site.status()), { empty: 'No users.', json: items })
    if (total > items.length) print.warn(`${items.length} of ${total} users; --page and --limit show the others.`)
  },
})

export const users = group({ name: 'users', summary: 'Accounts', commands: [list] })

function stateOf(user: User): string {
  if (user.DeletedAt) return 'deleted'
  return user.status === 1 ? 'enabled' : 'disabled'
}
