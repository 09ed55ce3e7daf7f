// `weir tokens ls`, `show` and `env`: tokens, and the lines that configure clients to use them.
import type { WeirClient } from '../../../core/contracts.ts'
import { type VendorName, clientVendorNames, buildVendorVariables } from '../../../core/tokens/clients.ts'
import { detectShell, buildEnvironmentLines, type ShellName, supportedShellNames } from '../../../core/tokens/shell.ts'
import { toFullKey, maskKeyText, type Token, TOKEN_STATUS } from '../../../core/tokens/token.ts'
import { getPublicAddress } from '../../connection/address.ts'
import { command, LIST_COMMAND } from '../../command.ts'
import { UsageError } from '../../failure.ts'
import { needTeamId } from '../../nouns/team.ts'
import { words } from '../../texts.ts'
import type { TokenFilter } from '../../nouns/token.ts'
import {
  findRequiredToken,
  findRequiredUserToken,
  listOwnTokens,
  listUserTokens,
  tokenRowView,
} from '../../nouns/token.ts'
import { needUserId } from '../../nouns/user.ts'
import type { PageQuery } from '../../output/paging.ts'
import { parseRequestedRows, buildPageOptions, createPageReader, printRequestedRows } from '../../output/paging.ts'

// The token argument of the commands, and how much of its key is shown.

export const tokenArgument = { spec: '<token>', help: words('id or name of the token') } as const
export const otherUserOption = {
  flag: '--user <user>',
  help: words("another user's, as an administrator: id or username"),
} as const

export const maskTokenKey = (token: Token): Token => ({ ...token, key: maskKeyText(token.key) })
export const withFullKey = (token: Token): Token => ({ ...token, key: toFullKey(token.key) })

/** Returns the named token of the caller, or of the given user. */
export const findTokenByName = async (weir: WeirClient, name: string, user: string | undefined): Promise<Token> =>
  user === undefined ? findRequiredToken(weir, name) : findRequiredUserToken(weir, await needUserId(weir, user), name)

const DEFAULT_LIMIT = 50

const keys = { flag: '--keys', help: words('show whole keys') } as const

export const listCommand = command({
  ...LIST_COMMAND,
  output: { view: tokenRowView, many: true },
  summary: words("List your tokens, newest first, or another user's"),
  options: {
    search: { flag: '--search <text>', help: words('part of the name') },
    team: { flag: '--team <team>', help: words('only those that this team pays for') },
    status: {
      flag: '--status <status>',
      help: words('only tokens that are in this state'),
      choices: Object.keys(TOKEN_STATUS),
    },
    group: { flag: '--group <name>', help: words('only tokens of this group') },
    user: otherUserOption,
    keys,
    ...buildPageOptions(DEFAULT_LIMIT),
  },
  async run({ client, print, options }) {
    const range = parseRequestedRows(options, print, DEFAULT_LIMIT)
    const { search: keyword, status, group, team, user } = options
    const filter = {
      keyword,
      group,
      ...(status === undefined ? {} : { status: TOKEN_STATUS[status as keyof typeof TOKEN_STATUS] }),
    }
    if (options.keys && user !== undefined) throw KEYS_ARE_OWN()
    const weir = await client()
    const user_id = user === undefined ? undefined : await needUserId(weir, user)
    const fetch =
      team === undefined
        ? async ({ p, page_size: size, cursor }: PageQuery) => {
            const query = { ...filter, p: p - 1, size, cursor }
            const { data, ...page } =
              user_id === undefined ? await weir.tokens.search(query) : await weir.tokens.ofUser({ ...query, user_id })
            return { ...page, items: data }
          }
        : createPageReader(await listTeamTokens(weir, await needTeamId(weir, team), { user_id, filter }))
    // Of several tokens, full keys are revealed one by one.
    const showKey = async (token: Token) =>
      options.keys ? withFullKey(await weir.tokens.get({ id: token.id })) : maskTokenKey(token)
    await printRequestedRows(print, range, fetch, tokenRowView, {
      build: (tokens) => Promise.all(tokens.map(showKey)),
      empty: [keyword, status, group, team].some((one) => one !== undefined)
        ? words('No matching tokens.')
        : words('No tokens yet: `weir tokens add` makes one.'),
    })
  },
})

const KEYS_ARE_OWN = () => new UsageError(words('--keys is for your own tokens: keys of others are never shown.'))

async function listTeamTokens(
  weir: WeirClient,
  team: number,
  { user_id, filter }: { user_id: number | undefined; filter: TokenFilter },
): Promise<Token[]> {
  const tokens: Token[] = []
  const all = user_id === undefined ? listOwnTokens(weir, filter) : listUserTokens(weir, user_id, filter)
  for await (const page of all) tokens.push(...page.filter(({ team_id }) => team_id === team))
  return tokens
}

export const showCommand = command({
  name: 'show',
  readOnly: true,
  output: { view: tokenRowView, many: false },
  summary: words('Show a token with its limits'),
  arguments: { token: tokenArgument },
  options: { user: otherUserOption, keys },
  async run({ client, print, args, options }) {
    if (options.keys && options.user !== undefined) throw KEYS_ARE_OWN()
    const found = await findTokenByName(await client(), args.token, options.user)
    await print.one((options.keys ? withFullKey : maskTokenKey)(found), tokenRowView, { quietOutput: String(found.id) })
  },
})

export const envCommand = command({
  name: 'env',
  readOnly: true,
  summary: words(
    'Print the variables that point clients at Weir with one of your tokens: its whole key and the address',
  ),
  details: words('For the current shell: eval "$(weir tokens env ID)"; for fish: weir tokens env ID | source'),
  arguments: { token: tokenArgument },
  options: {
    shell: {
      flag: '--shell <name>',
      help: words('which shell (default: the current one)'),
      choices: supportedShellNames,
    },
    client: {
      flag: '--client <name>',
      help: words('only for clients of this vendor'),
      choices: clientVendorNames,
    },
  },
  async run(context) {
    const { args, options, print } = context
    const connection = await context.connection()
    const key = toFullKey((await findRequiredToken(connection.client, args.token)).key)
    const address = await getPublicAddress(connection, context)
    const vendors = options.client === undefined ? clientVendorNames : [options.client as VendorName]
    const shell = (options.shell as ShellName | undefined) ?? detectShell(context.env)
    const variables = vendors.map((vendor) => buildVendorVariables(vendor, { key, address }))
    await print.text(buildEnvironmentLines(shell, key, address, vendors).join('\n'), Object.assign({}, ...variables))
  },
})
