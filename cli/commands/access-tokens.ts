// `weir access-tokens …`: what programs use the JSON API with, `--access-token` among them. On the host those of the super
// administrator.
import { NEVER } from '../../core/tokens/token.ts'
import { AccessTokenForm, type AccessToken } from '../../core/users/access-token.ts'
import { command, group } from '../command.ts'
import { flagsOf, valuesOf } from '../declared-flags.ts'
import { timeText } from '../format.ts'
import { expiry, idOf, need } from '../input.ts'
import type { Column } from '../table.ts'
import { needSure } from '../sure.ts'

const columns: Column<AccessToken>[] = [
  { title: 'ID', rank: 1, value: (token) => token.id, right: true },
  { title: 'NAME', rank: 2, flexible: true, value: (token) => token.name, tone: () => 'strong' },
  { title: 'SCOPE', rank: 3, value: (token) => token.scope },
  { title: 'LAST USE', rank: 4, value: (token) => (token.used_time === 0 ? 'never' : timeText(token.used_time)) },
  {
    title: 'EXPIRES',
    rank: 5,
    value: (token) => (token.expired_time === NEVER ? 'never' : timeText(token.expired_time)),
  },
  { title: 'CREATED', rank: 6, value: (token) => (token.created_time === 0 ? '' : timeText(token.created_time)) },
]

const list = command({
  name: 'list',
  summary: 'List own access tokens: what each may, its last use and its end',
  async run({ client, print }) {
    await print.rows(await (await client()).users.accessTokens(), columns, {
      empty: 'No access tokens yet: `weir access-tokens add --name NAME` makes one.',
    })
  },
})

/** Said as a span or a date. */
const OWN_WAY = ['expired_time'] as const

const add = command({
  name: 'add',
  summary: 'Make an access token and print it, this once',
  options: {
    ...flagsOf(AccessTokenForm, OWN_WAY),
    expires: { flag: '--expires <when>', help: 'never, a span like 30d, or a date (otherwise never)' },
  },
  async run({ client, print, options }) {
    const { name, expires } = options
    need({ '--name': name })
    const plain = valuesOf(AccessTokenForm, options, OWN_WAY)
    const form = { ...plain, name: name ?? '', expired_time: expiry('--expires', expires) }
    const made = await (await client()).users.createAccessToken(form)
    await print.result(made, {
      human: `Made access token ${made.id} "${made.name}" of scope ${made.scope} (shown only now):\n\n  ${print.paint(made.token, 'good')}`,
      bare: made.token,
    })
  },
})

const remove = command({
  name: 'delete',
  summary: 'Delete an own access token: it is worth nothing from then on',
  arguments: { id: { spec: '<id>', help: 'id of the access token' } },
  options: { yes: { flag: '--yes', help: 'do not ask' } },
  async run({ client, print, ask, args, options }) {
    const id = idOf(args.id)
    await needSure(ask, options.yes)(`Delete access token ${id}?`)
    await (await client()).users.deleteAccessToken({ id })
    await print.result({ deleted: id }, { human: `Deleted access token ${id}.`, bare: String(id) })
  },
})

export const accessTokens = group({
  name: 'access-tokens',
  summary: 'What programs use the JSON API with',
  commands: [list, add, remove],
})
