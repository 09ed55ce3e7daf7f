// `weir tokens …`: API keys of the signed-in user; on the host those of the super administrator.
import { fillTemplate } from '../../../core/errors.ts'
import { toFullKey, TOKEN_STATUS, type Token } from '../../../core/tokens/token.ts'
import { getPublicAddress } from '../../connection/address.ts'
import { listChangedAmounts } from '../../changed-amounts.ts'
import { command, type Command, group } from '../../command.ts'
import { UsageError } from '../../failure.ts'
import { needTeamId } from '../../nouns/team.ts'
import { words } from '../../texts.ts'
import { tokenRowView } from '../../nouns/token.ts'
import {
  parseTokenFields,
  tokenFormFlags,
  buildTokenQuestions,
  newTokenQuestions,
  UNLIMITED_QUOTA,
} from '../../nouns/token-form.ts'
import { needUserId } from '../../nouns/user.ts'
import { buildEnvironmentLines, detectShell } from '../../../core/tokens/shell.ts'
import { requireConfirmation } from '../../input/confirm.ts'
import {
  maskTokenKey,
  tokenArgument,
  findTokenByName,
  otherUserOption,
  withFullKey,
  envCommand,
  listCommand,
  showCommand,
} from './look.ts'
import { tokenForm } from '../../input/forms.built.ts'

const forUser = {
  flag: '--user <user>',
  help: words('for another user, as an administrator above them: id or username'),
} as const

export const addCommand = command({
  name: 'add',
  aliases: ['create'],
  output: { view: tokenRowView, many: false },
  summary: words('Make a token and print its key; on a terminal without --name it asks'),
  details: words('weir tokens add --name ci --quota 5usd --expires 30d --budget-day 1usd'),
  options: {
    ...tokenFormFlags,
    user: forUser,
    team: {
      flag: '--team <team>',
      help: words("id or name of the team that pays (default: the user's own account)"),
    },
  },
  async run(context) {
    const { print, ask, options } = context
    const answers = options.name === undefined ? await ask.form(words('New token'), newTokenQuestions, '--name') : {}
    const { team, user, ...flags } = options
    const fields = parseTokenFields({ quota: UNLIMITED_QUOTA, ...pickGiven(flags), ...answers })
    const connection = await context.connection()
    const { client } = connection
    const team_id = team === undefined ? 0 : await needTeamId(client, team)
    const form = { ...(await fields(context.money)), team_id }
    const made = await (user === undefined
      ? client.tokens.create(form)
      : client.tokens.createOf({ ...form, user_id: await needUserId(client, user) }))
    const key = toFullKey(made.key)
    const lines = buildEnvironmentLines(detectShell(context.env), key, await getPublicAddress(connection, context))
    const values = {
      id: made.id,
      name: made.name,
      key: print.paint(key, 'good'),
      amounts: listChangedAmounts(tokenForm, undefined, made, await context.money()),
      lines: lines.map((line) => `  ${line}`).join('\n'),
    }
    await print.done(withFullKey(made), tokenRowView, { human: fillTemplate(MADE, values), quietOutput: key })
  },
})

const MADE = words(
  'Made token {id} "{name}":{amounts}\n\n  {key}\n\nFor clients (another shell: weir tokens env {id} --shell fish)\n\n{lines}',
)

/** Returns the flags that were given. */
const pickGiven = <T extends object>(options: T): Partial<T> =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as Partial<T>

export const editCommand = command({
  name: 'edit',
  output: { view: tokenRowView, many: false },
  summary: words(
    "Change one of your tokens or another user's; what is not given stays; on a terminal without flags it asks",
  ),
  arguments: { token: tokenArgument },
  options: { ...tokenFormFlags, user: otherUserOption },
  async run({ client, money, print, ask, args, options: { user, ...options } }) {
    let fields = parseTokenFields(options)
    const isEmpty = Object.keys(tokenFormFlags).every((name) => options[name as keyof typeof options] === undefined)
    if (isEmpty && !ask.possible)
      throw new UsageError(
        words('Nothing to change: give --name, --budget-day or another flag, see `weir tokens edit --help`.'),
      )
    const weir = await client()
    const before = await findTokenByName(weir, args.token, user)
    const title = fillTemplate(words('Token {id} {name}'), { id: before.id, name: before.name })
    if (isEmpty)
      fields = parseTokenFields(await ask.fields(title, buildTokenQuestions(before, await money()), '--name'))
    // A form takes time after reading. The version prevents overwriting a change made since.
    const change = { ...(await fields(money)), id: before.id, ...(isEmpty ? { version: before.version } : {}) }
    const after = await (user === undefined
      ? weir.tokens.update(change)
      : weir.tokens.updateOf({ ...change, user_id: before.user_id }))
    await print.done(maskTokenKey(after), tokenRowView, {
      human: fillTemplate(CHANGED, {
        ...toTokenId(after),
        amounts: listChangedAmounts(tokenForm, before, after, await money()),
      }),
      quietOutput: String(after.id),
    })
  },
})

const toTokenId = ({ id, name }: Token) => ({ id, name })
const CHANGED = words('Changed token {id} "{name}".{amounts}')

/** The commands for the two states of a token. */
const SWITCHES = {
  enable: {
    summary: words('Enable a token'),
    done: words('Token {id} "{name}" is enabled.'),
    status: TOKEN_STATUS.enabled,
  },
  disable: {
    summary: words('Disable a token: its calls are refused until it is enabled again'),
    done: words('Token {id} "{name}" is disabled.'),
    status: TOKEN_STATUS.disabled,
  },
} as const

export const tokenSwitchCommands = (Object.keys(SWITCHES) as (keyof typeof SWITCHES)[]).map((name): Command => {
  const { summary, done, status } = SWITCHES[name]
  return command({
    name,
    output: { view: tokenRowView, many: false },
    summary,
    arguments: { token: tokenArgument },
    options: { user: otherUserOption },
    async run({ client, print, args, options }) {
      const weir = await client()
      const { id } = await findTokenByName(weir, args.token, options.user)
      const after = await (options.user === undefined
        ? weir.tokens.update({ id, status, status_only: 'true' })
        : weir.tokens.manage({ id, action: name }))
      await print.done(maskTokenKey(after), tokenRowView, {
        human: fillTemplate(done, toTokenId(after)),
        quietOutput: String(id),
      })
    },
  })
})

export const removeCommand = command({
  name: 'rm',
  aliases: ['delete'],
  output: { view: tokenRowView, many: false },
  summary: words('Delete a token: calls with its key are refused from then on'),
  arguments: { token: tokenArgument },
  options: { user: otherUserOption, yes: { flag: '--yes', help: words('do not ask') } },
  async run({ client, print, ask, args, options }) {
    const sure = requireConfirmation(ask, options.yes)
    const weir = await client()
    const found = await findTokenByName(weir, args.token, options.user)
    await sure(fillTemplate(words('Delete token {id} "{name}"?'), toTokenId(found)))
    const { id } = found
    await (options.user === undefined ? weir.tokens.delete({ id }) : weir.tokens.manage({ id, action: 'delete' }))
    await print.done(maskTokenKey(found), tokenRowView, {
      human: fillTemplate(words('Deleted token {id} "{name}".'), toTokenId(found)),
      quietOutput: String(found.id),
    })
  },
})

export const tokensCommand = group({
  name: 'tokens',
  summary: words('API keys'),
  commands: [listCommand, showCommand, addCommand, editCommand, ...tokenSwitchCommands, envCommand, removeCommand],
})
