// `weir tokens …`: API keys of the signed-in user; on the host those of the super administrator.
import { TokenForm } from '../../core/tokens/contract.ts'
import { fullKey, maskKey, NEVER, type Token } from '../../core/tokens/token.ts'
import { publicAddress } from '../address.ts'
import { command, group } from '../command.ts'
import { flagsOf, inUnits, questionOf, valuesOf } from '../declared-flags.ts'
import { quotaText, stateTone, timeText, tokenState, type MoneyView } from '../format.ts'
import { expiry, idOf, wholeNumber } from '../input.ts'
import type { Column } from '../table.ts'
import type { Question } from '../parts/form-state.ts'
import { vendorNames, vendorVariables, type VendorName } from '../programs.ts'
import { environmentLines, shellNames, shellOf, type ShellName } from '../shell.ts'
import { UsageError } from '../failure.ts'
import { needSure } from '../sure.ts'
import { needTeamId } from '../nouns/team.ts'

const columns = (money: MoneyView): Column<Token>[] => [
  { title: 'ID', rank: 1, value: (token) => token.id, right: true },
  { title: 'NAME', rank: 1, flexible: true, value: (token) => token.name, tone: () => 'strong' },
  { title: 'KEY', rank: 2, value: (token) => token.key },
  { title: 'STATUS', rank: 1, value: tokenState, tone: (token) => stateTone(tokenState(token)) },
  {
    title: 'LEFT',
    rank: 1,
    value: (token) => (token.unlimited_quota ? 'unlimited' : quotaText(token.remain_quota, money)),
    right: true,
  },
  { title: 'USED', rank: 2, value: (token) => quotaText(token.used_quota, money), right: true },
  {
    title: 'EXPIRES',
    rank: 3,
    value: (token) => (token.expired_time === NEVER ? 'never' : timeText(token.expired_time)),
  },
  { title: 'GROUP', rank: 4, flexible: true, value: (token) => token.group },
  {
    title: 'MODELS',
    rank: 4,
    flexible: true,
    value: (token) => (token.model_limits_enabled ? token.model_limits : 'all'),
  },
]

const list = command({
  name: 'list',
  summary: 'List own tokens, newest first',
  options: {
    search: { flag: '--search <text>', help: 'part of the name' },
    keys: { flag: '--keys', help: 'show whole keys' },
    page: { flag: '--page <number>', help: 'page, from 1' },
    limit: { flag: '--limit <number>', help: 'tokens per page, up to 100 (otherwise 50)' },
  },
  async run({ client, print, options }) {
    const slice = {
      p: wholeNumber('--page', options.page ?? '1') - 1,
      size: wholeNumber('--limit', options.limit ?? '50'),
    }
    const weir = await client()
    const { search: keyword } = options
    const { data: found } = await (keyword === undefined
      ? weir.tokens.list(slice)
      : weir.tokens.search({ ...slice, keyword }))
    // Of several the whole keys are told one by one.
    const keyOf = async ({ id, key }: Token) =>
      options.keys === true ? fullKey((await weir.tokens.get({ id })).key) : maskKey(key)
    const rows = await Promise.all(found.map(async (token) => ({ ...token, key: await keyOf(token) })))
    await print.rows(rows, columns(await weir.site.status()), {
      empty: 'No tokens yet: `weir tokens add` makes one.',
    })
  },
})

const questions: Question[] = [
  questionOf(TokenForm, 'name', {
    fallback: 'token',
    check: (text) => (text ? undefined : 'Please enter a name'),
  }),
  questionOf(TokenForm, 'unlimited_quota', { kind: 'yes_no', initial: 'yes' }),
  questionOf(TokenForm, 'remain_quota', {
    hint: 'quota units; 500000 are one dollar unless you changed it',
    when: ({ unlimited_quota }) => unlimited_quota === 'no',
    check: (text) => (/^\d+$/.test(text) ? undefined : 'Please enter a whole number'),
  }),
  questionOf(TokenForm, 'expired_time', {
    fallback: 'never',
    hint: 'never; or 30d, or a date',
    check: (text) => problemOf(() => expiry('--expires', text)),
  }),
  questionOf(TokenForm, 'model_limits', { hint: 'comma list; empty for all' }),
]

/** What the terminal takes in words of its own: two fields in one flag, a span, a team by its name. */
const OWN_WAY = [
  'team_id',
  'unlimited_quota',
  'remain_quota',
  'expired_time',
  'model_limits_enabled',
  'model_limits',
] as const
const plainFlags = flagsOf(TokenForm, OWN_WAY)

const add = command({
  name: 'add',
  summary: 'Make a token and print its key',
  options: {
    ...plainFlags,
    quota: { flag: '--quota <units>', help: 'quota units it may spend; without it unlimited' },
    expires: { flag: '--expires <when>', help: 'never, a span like 30d, or a date (otherwise never)' },
    models: { flag: '--models <list>', help: 'comma list of the models it may use (otherwise all)' },
    team: { flag: '--team <team>', help: "id or name of the team that pays (otherwise one's own account)" },
  },
  async run(context) {
    const { print, ask, options } = context
    let { name, quota, expires, models } = options
    if (name === undefined) {
      const answers = await ask.form('New token', questions, '--name')
      name = answers.name
      quota = answers.unlimited_quota === 'yes' ? undefined : answers.remain_quota
      expires = answers.expired_time
      models = answers.model_limits
    }
    const form = {
      unlimited_quota: quota === undefined,
      remain_quota: quota === undefined ? 0 : wholeNumber('--quota', quota),
      expired_time: expiry('--expires', expires),
      model_limits_enabled: Boolean(models),
      model_limits: models ?? '',
      ...(await inUnits(valuesOf(TokenForm, { ...options, name }, OWN_WAY), context.money)),
    }
    const connection = await context.connection()
    const { client } = connection
    const team_id = options.team === undefined ? 0 : await needTeamId(client, options.team)
    const token = await client.tokens.create({ ...form, team_id })
    const key = fullKey(token.key)
    const lines = environmentLines(shellOf(context.env), key, await publicAddress(connection, context))
    await print.result(
      { ...token, key },
      {
        human: [
          `Made token ${token.id} "${token.name}":`,
          `  ${print.paint(key, 'good')}`,
          `For clients (another shell: weir tokens env ${token.id} --shell fish)`,
          lines.map((line) => `  ${line}`).join('\n'),
        ].join('\n\n'),
        bare: key,
      },
    )
  },
})

const edit = command({
  name: 'edit',
  summary: 'Change an own token: what is not given stays as it is',
  arguments: { id: { spec: '<id>', help: 'id of the token' } },
  options: {
    ...plainFlags,
    quota: { flag: '--quota <units>', help: 'quota units it may spend from now on, or unlimited' },
    expires: { flag: '--expires <when>', help: 'never, a span like 30d, or a date' },
    models: { flag: '--models <list>', help: 'comma list of the models it may use; empty for all' },
  },
  async run({ client, money, print, args, options }) {
    const id = idOf(args.id)
    const { quota, expires, models } = options
    const unlimited_quota = quota === 'unlimited'
    const change = {
      ...(quota === undefined ? {} : { unlimited_quota }),
      ...(quota === undefined || unlimited_quota ? {} : { remain_quota: wholeNumber('--quota', quota) }),
      ...(expires === undefined ? {} : { expired_time: expiry('--expires', expires) }),
      ...(models === undefined ? {} : { model_limits_enabled: models !== '', model_limits: models }),
      ...(await inUnits(valuesOf(TokenForm, options, OWN_WAY), money)),
    }
    if (Object.keys(change).length === 0)
      throw new UsageError(
        'Nothing to change: give --name, --budget-day or another flag, see `weir tokens edit --help`.',
      )
    const token = await (await client()).tokens.update({ ...change, id })
    await print.result(
      { ...token, key: maskKey(token.key) },
      { human: `Changed token ${id} "${token.name}" (${tokenState(token)}).`, bare: String(id) },
    )
  },
})

const remove = command({
  name: 'delete',
  summary: 'Delete an own token: calls with its key are refused from then on',
  arguments: { id: { spec: '<id>', help: 'id of the token' } },
  options: { yes: { flag: '--yes', help: 'do not ask' } },
  async run({ client, print, ask, args, options }) {
    const id = idOf(args.id)
    const sure = needSure(ask, options.yes)
    const weir = await client()
    const token = await weir.tokens.get({ id })
    await sure(`Delete token ${id} "${token.name}"?`)
    await weir.tokens.delete({ id })
    await print.result({ deleted: id }, { human: `Deleted token ${id} "${token.name}".`, bare: String(id) })
  },
})

const env = command({
  name: 'env',
  summary: "Print the lines that point clients at Weir with one's own token: its whole key and the address",
  details: 'Into the shell at hand: eval "$(weir tokens env ID)", or for fish: weir tokens env ID | source',
  arguments: { id: { spec: '<id>', help: 'id of the token' } },
  options: {
    shell: { flag: '--shell <name>', help: 'whose lines (otherwise those of the shell at hand)', choices: shellNames },
    client: { flag: '--client <name>', help: 'only for clients of this vendor', choices: vendorNames },
  },
  async run(context) {
    const { args, options, print } = context
    const id = idOf(args.id)
    const connection = await context.connection()
    const key = fullKey((await connection.client.tokens.get({ id })).key)
    const address = await publicAddress(connection, context)
    const vendors = options.client === undefined ? vendorNames : [options.client as VendorName]
    const shell = (options.shell as ShellName | undefined) ?? shellOf(context.env)
    const variables = vendors.map((vendor) => vendorVariables(vendor, { key, address }))
    await print.text(environmentLines(shell, key, address, vendors).join('\n'), Object.assign({}, ...variables))
  },
})

export const tokens = group({ name: 'tokens', summary: 'API keys', commands: [list, add, edit, env, remove] })

function problemOf(check: () => unknown): string | undefined {
  try {
    check()
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
