// `weir tokens …`: API keys of the signed-in user; on the host those of the super administrator.
import type { WeirClient } from '../../core/contracts.ts'
import { filled, words } from '../../core/errors.ts'
import { fullKey, maskKey, TOKEN_STATUS, type Token } from '../../core/tokens/token.ts'
import { publicAddress } from '../address.ts'
import { command, group, type Command } from '../command.ts'
import { UsageError } from '../failure.ts'
import { needTeamId } from '../nouns/team.ts'
import { needToken, needTokenOf, ownTokens, tokenView } from '../nouns/token.ts'
import { tokenFields, tokenFlags, tokenQuestions, UNLIMITED } from '../nouns/token-form.ts'
import { needUserId } from '../nouns/user.ts'
import { pageAsked, pageOptions, tellMore } from '../paging.ts'
import { vendorNames, vendorVariables, type VendorName } from '../programs.ts'
import { environmentLines, shellNames, shellOf, type ShellName } from '../shell.ts'
import { needSure } from '../sure.ts'

const USUAL = 50

const token = { spec: '<token>', help: words('id or name of the token', '令牌的编号或名称') } as const
const user = {
  flag: '--user <user>',
  help: words("another user's, as an administrator: id or username", '其他用户的令牌（须为管理员）：编号或用户名'),
} as const
const keys = { flag: '--keys', help: words('show whole keys', '显示完整密钥') } as const

const masked = (token: Token): Token => ({ ...token, key: maskKey(token.key) })
const whole = (token: Token): Token => ({ ...token, key: fullKey(token.key) })

const list = command({
  name: 'ls',
  aliases: ['list'],
  isDefault: true,
  looks: true,
  gives: { view: tokenView, many: true },
  summary: words("List own tokens, newest first, or another user's", '列出自己或其他用户的令牌，最新的在前'),
  options: {
    search: { flag: '--search <text>', help: words('part of the name', '名称的一部分') },
    team: { flag: '--team <team>', help: words('only those that this team pays for', '仅由此团队付款的令牌') },
    user,
    keys,
    ...pageOptions(USUAL),
  },
  async run({ client, print, options }) {
    const { p, page_size: size } = pageAsked(options, USUAL)
    const { search: keyword, team, user } = options
    if (options.keys && user !== undefined) throw KEYS_ARE_OWN()
    const weir = await client()
    const { data, total } =
      user !== undefined
        ? await weir.tokens.ofUser({ user_id: await needUserId(weir, user), p: p - 1, size, keyword })
        : team === undefined
          ? await weir.tokens.search({ p: p - 1, size, keyword })
          : await ofTeam(weir, await needTeamId(weir, team), keyword)
    // Of several the whole keys are told one by one.
    const shown = async (token: Token) =>
      options.keys ? whole(await weir.tokens.get({ id: token.id })) : masked(token)
    await print.list(await Promise.all(data.map(shown)), tokenView, {
      empty: words('No tokens yet: `weir tokens add` makes one.', '还没有令牌：用 `weir tokens add` 创建。'),
    })
    tellMore(print, data.length, total)
  },
})

const KEYS_ARE_OWN = () =>
  new UsageError(
    words(
      '--keys is for own tokens: nobody is shown the keys of others.',
      '--keys 仅用于自己的令牌：他人的密钥不予显示。',
    ),
  )

/** The own token that is named, or that of the user. */
const tokenOf = async (weir: WeirClient, name: string, user: string | undefined): Promise<Token> =>
  user === undefined ? needToken(weir, name) : needTokenOf(weir, await needUserId(weir, user), name)

async function ofTeam(weir: WeirClient, team: number, keyword: string | undefined) {
  const data: Token[] = []
  for await (const page of ownTokens(weir, keyword)) data.push(...page.filter(({ team_id }) => team_id === team))
  return { data, total: data.length }
}

const show = command({
  name: 'show',
  looks: true,
  gives: { view: tokenView, many: false },
  summary: words('One token, with its limits', '查看一个令牌及其限制'),
  arguments: { token },
  options: { user, keys },
  async run({ client, print, args, options }) {
    if (options.keys && options.user !== undefined) throw KEYS_ARE_OWN()
    const found = await tokenOf(await client(), args.token, options.user)
    await print.one((options.keys ? whole : masked)(found), tokenView, { bare: String(found.id) })
  },
})

const add = command({
  name: 'add',
  aliases: ['create'],
  gives: { view: tokenView, many: false },
  summary: words(
    'Make a token and print its key; on a terminal without --name it asks',
    '创建令牌并显示其密钥；在终端中不带 --name 时会提问',
  ),
  details: words(
    "weir tokens add --name ci --quota '$5' --expires 30d --budget-day '$1'",
    "weir tokens add --name ci --quota '$5' --expires 30d --budget-day '$1'",
  ),
  options: {
    ...tokenFlags,
    team: {
      flag: '--team <team>',
      help: words(
        "id or name of the team that pays (otherwise one's own account)",
        '付款团队的编号或名称（默认自己的账户）',
      ),
    },
  },
  async run(context) {
    const { print, ask, options } = context
    const answers =
      options.name === undefined ? await ask.form(words('New token', '新令牌'), tokenQuestions(), '--name') : {}
    const fields = tokenFields({ quota: UNLIMITED, ...given(options), ...answers })
    const connection = await context.connection()
    const { client } = connection
    const team_id = options.team === undefined ? 0 : await needTeamId(client, options.team)
    const made = await client.tokens.create({ ...(await fields(context.money)), team_id })
    const key = fullKey(made.key)
    const lines = environmentLines(shellOf(context.env), key, await publicAddress(connection, context))
    const said = {
      ...{ id: made.id, name: made.name, key: print.paint(key, 'good') },
      lines: lines.map((line) => `  ${line}`).join('\n'),
    }
    await print.done(whole(made), tokenView, { human: filled(MADE, said), bare: key })
  },
})

const MADE = words(
  `Made token {id} "{name}":

  {key}

For clients (another shell: weir tokens env {id} --shell fish)

{lines}`,
  `已创建令牌 {id} "{name}"：

  {key}

供客户端使用（其他 shell：weir tokens env {id} --shell fish）

{lines}`,
)

/** The flags that were given. */
const given = <T extends object>(options: T): Partial<T> =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as Partial<T>

const edit = command({
  name: 'edit',
  gives: { view: tokenView, many: false },
  summary: words(
    'Change an own token: what is not given stays as it is; on a terminal without flags it asks',
    '修改自己的令牌：未给出的保持不变；在终端中不带选项时会提问',
  ),
  arguments: { token },
  options: tokenFlags,
  async run({ client, money, print, ask, args, options }) {
    let fields = tokenFields(options)
    const isEmpty = Object.keys(tokenFlags).every((name) => options[name as keyof typeof options] === undefined)
    if (isEmpty && !ask.possible)
      throw new UsageError(
        words(
          'Nothing to change: give --name, --budget-day or another flag, see `weir tokens edit --help`.',
          '没有要修改的内容：请给出 --name、--budget-day 或其他选项，见 `weir tokens edit --help`。',
        ),
      )
    const weir = await client()
    const before = await needToken(weir, args.token)
    const title = words(`Token ${before.id} ${before.name}`, `令牌 ${before.id} ${before.name}`)
    if (isEmpty) fields = tokenFields(await ask.form(title, tokenQuestions(before), '--name'))
    const after = await weir.tokens.update({ ...(await fields(money)), id: before.id })
    await print.done(masked(after), tokenView, { human: filled(CHANGED, named(after)), bare: String(after.id) })
  },
})

const named = ({ id, name }: Token) => ({ id, name })
const CHANGED = words('Changed token {id} "{name}".', '已修改令牌 {id} "{name}"。')

/** Two states of a token, each by its word. */
const SWITCHES = {
  enable: {
    summary: words('Let a token be used again', '启用令牌'),
    done: words('Token {id} "{name}" is enabled.', '已启用令牌 {id} "{name}"。'),
    status: TOKEN_STATUS.enabled,
  },
  disable: {
    summary: words('Refuse calls with a token until it is enabled', '禁用令牌，直至重新启用'),
    done: words('Token {id} "{name}" is disabled.', '已禁用令牌 {id} "{name}"。'),
    status: TOKEN_STATUS.disabled,
  },
} as const

const switches = (Object.keys(SWITCHES) as (keyof typeof SWITCHES)[]).map((name): Command => {
  const { summary, done, status } = SWITCHES[name]
  return command({
    name,
    gives: { view: tokenView, many: false },
    summary,
    arguments: { token },
    options: { user },
    async run({ client, print, args, options }) {
      const weir = await client()
      const { id } = await tokenOf(weir, args.token, options.user)
      const after = await (options.user === undefined
        ? weir.tokens.update({ id, status, status_only: 'true' })
        : weir.tokens.manage({ id, action: name }))
      await print.done(masked(after), tokenView, { human: filled(done, named(after)), bare: String(id) })
    },
  })
})

const remove = command({
  name: 'rm',
  aliases: ['delete'],
  gives: { view: tokenView, many: false },
  summary: words(
    'Delete a token: calls with its key are refused from then on',
    '删除令牌：此后使用其密钥的调用将被拒绝',
  ),
  arguments: { token },
  options: { user, yes: { flag: '--yes', help: words('do not ask', '不再询问') } },
  async run({ client, print, ask, args, options }) {
    const sure = needSure(ask, options.yes)
    const weir = await client()
    const found = await tokenOf(weir, args.token, options.user)
    await sure(filled(words('Delete token {id} "{name}"?', '删除令牌 {id} "{name}"？'), named(found)))
    const { id } = found
    await (options.user === undefined ? weir.tokens.delete({ id }) : weir.tokens.manage({ id, action: 'delete' }))
    await print.done(masked(found), tokenView, {
      human: filled(words('Deleted token {id} "{name}".', '已删除令牌 {id} "{name}"。'), named(found)),
      bare: String(found.id),
    })
  },
})

const env = command({
  name: 'env',
  looks: true,
  summary: words(
    "Print the lines that point clients at Weir with one's own token: its whole key and the address",
    '输出让客户端使用自己的令牌连接 Weir 的命令：完整密钥与地址',
  ),
  details: words(
    'Into the shell at hand: eval "$(weir tokens env ID)", or for fish: weir tokens env ID | source',
    '用于当前 shell：eval "$(weir tokens env ID)"；fish：weir tokens env ID | source',
  ),
  arguments: { token },
  options: {
    shell: {
      flag: '--shell <name>',
      help: words('whose lines (otherwise those of the shell at hand)', '哪种 shell（默认当前 shell）'),
      choices: shellNames,
    },
    client: {
      flag: '--client <name>',
      help: words('only for clients of this vendor', '仅用于此厂商的客户端'),
      choices: vendorNames,
    },
  },
  async run(context) {
    const { args, options, print } = context
    const connection = await context.connection()
    const key = fullKey((await needToken(connection.client, args.token)).key)
    const address = await publicAddress(connection, context)
    const vendors = options.client === undefined ? vendorNames : [options.client as VendorName]
    const shell = (options.shell as ShellName | undefined) ?? shellOf(context.env)
    const variables = vendors.map((vendor) => vendorVariables(vendor, { key, address }))
    await print.text(environmentLines(shell, key, address, vendors).join('\n'), Object.assign({}, ...variables))
  },
})

export const tokens = group({
  name: 'tokens',
  summary: words('API keys', 'API 令牌'),
  commands: [list, show, add, edit, ...switches, env, remove],
})
