// `weir access-tokens …`: access tokens for the JSON API and `--access-token`. On the host, those of the super
// administrator.
import { words } from '../../core/errors.ts'
import { AccessTokenForm } from '../../core/users/access-tokens.ts'
import { command, group } from '../command.ts'
import { requireConfirmation } from '../confirm.ts'
import { expiry, parseFlagValues, buildQuestion, toFlags } from '../flags.ts'
import { accessTokenView, needAccessToken, newAccessTokenView, scopeNames } from '../nouns/access-token.ts'
import { expiresQuestion, filledIn } from '../nouns/questions.ts'
import type { Question } from '../parts/form-state.ts'

const list = command({
  name: 'ls',
  aliases: ['list'],
  isDefault: true,
  readOnly: true,
  output: { view: accessTokenView, many: true },
  summary: words(
    'List own access tokens: what each may, its last use and its end',
    '列出自己的访问令牌：各自的权限、最近使用与到期时间',
  ),
  async run({ client, print }) {
    await print.list(await (await client()).users.accessTokens(), accessTokenView, {
      empty: words(
        'No access tokens yet: `weir access-tokens add --name NAME` makes one.',
        '还没有访问令牌：用 `weir access-tokens add --name NAME` 创建。',
      ),
    })
  },
})

/** Given as a span or a date. */
const OWN_WAY = ['expired_time'] as const

const questions = (): Question[] => [
  buildQuestion(AccessTokenForm, 'name', { check: filledIn }),
  buildQuestion(AccessTokenForm, 'scope', {
    kind: 'choice',
    choices: Object.entries(scopeNames()).map(([value, label]) => ({ value, label })),
  }),
  expiresQuestion(buildQuestion(AccessTokenForm, 'expired_time')),
]

const add = command({
  name: 'add',
  output: { view: newAccessTokenView, many: false },
  summary: words(
    'Make an access token and print it, this once; on a terminal without a name it asks',
    '创建访问令牌并仅显示这一次；在终端中不带名称时会提问',
  ),
  options: {
    ...toFlags(AccessTokenForm, OWN_WAY),
    expires: {
      flag: '--expires <when>',
      help: words(
        'never, a span like 30d, or a date (otherwise never)',
        'never、时长（如 30d）或日期（默认 never，永不过期）',
      ),
    },
  },
  async run({ client, print, ask, options }) {
    const { expired_time, ...answers }: Record<string, string> =
      options.name === undefined ? await ask.form(words('New access token', '新访问令牌'), questions(), '--name') : {}
    const given = { ...options, ...answers }
    const form = {
      ...parseFlagValues(AccessTokenForm, given, OWN_WAY),
      name: given.name ?? '',
      expired_time: expiry('--expires', expired_time ?? options.expires),
    }
    const made = await (await client()).users.createAccessToken(form)
    const shown = `\n\n  ${print.paint(made.token, 'good')}`
    await print.done(made, newAccessTokenView, {
      human: words(
        `Made access token ${made.id} "${made.name}" of scope ${made.scope} (shown only now):${shown}`,
        `已创建访问令牌 ${made.id} "${made.name}"，权限范围 ${made.scope}（仅显示这一次）：${shown}`,
      ),
      bare: made.token,
    })
  },
})

const remove = command({
  name: 'rm',
  aliases: ['delete'],
  output: { view: accessTokenView, many: false },
  summary: words('Delete one of your access tokens: it stops working at once', '删除自己的访问令牌：此后即失效'),
  arguments: { token: { spec: '<token>', help: words('id or name of the access token', '访问令牌的编号或名称') } },
  options: { yes: { flag: '--yes', help: words('do not ask', '不再询问') } },
  async run({ client, print, ask, args, options }) {
    const sure = requireConfirmation(ask, options.yes)
    const weir = await client()
    const found = await needAccessToken(weir, args.token)
    const { id, name } = found
    await sure(words(`Delete access token ${id} "${name}"?`, `删除访问令牌 ${id} "${name}"？`))
    await weir.users.deleteAccessToken({ id })
    await print.done(found, accessTokenView, {
      human: words(`Deleted access token ${id} "${name}".`, `已删除访问令牌 ${id} "${name}"。`),
      bare: String(id),
    })
  },
})

export const accessTokens = group({
  name: 'access-tokens',
  summary: words('The tokens with which programs use the JSON API', '程序调用 JSON API 所用的访问令牌'),
  commands: [list, add, remove],
})
