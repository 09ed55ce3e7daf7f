// CLI commands that are equivalent to the calls of a page: an endpoint by its name, and a flag for each input. Inputs
// without a flag fall back to `weir call`, so that no command line means less than the call of the page.
import { LOG_ROW_TYPE } from '../../core/calls/log-entry.ts'
import { CHANNEL_STATUS } from '../../core/channels/channel.ts'
import { formatAttachedValue, quoteShellWord } from '../../core/contract/command-line.ts'
import { TOKEN_STATUS } from '../../core/tokens/token.ts'

type EndpointFields = Readonly<Record<string, unknown>>

interface Flag {
  flag: string
  /** Number of the first page of a list. */
  first?: number
  /** The names of numeric values. */
  words?: Readonly<Record<string, number>>
  /** Epoch seconds. */
  time?: boolean
}

export interface CommandTemplate {
  /** The command without `weir`. */
  command: string
  /** Positional arguments; a list has one for each item. */
  args?: readonly string[]
  flags?: Readonly<Record<string, Flag>>
  /** Applies only to inputs with these values. */
  only?: Readonly<Record<string, string | number>>
  /** Defaults of the command, which are omitted. */
  anyway?: Readonly<Record<string, string>>
  /** The page has already asked for confirmation. */
  sure?: boolean
}

const flags = (named: Record<string, string>): Record<string, Flag> =>
  Object.fromEntries(Object.entries(named).map(([field, flag]) => [field, { flag }]))
const pageFrom = (first: number, size: string): Record<string, Flag> => ({
  p: { flag: '--page', first },
  [size]: { flag: '--limit' },
})
const channelFilter = {
  ...flags({ type: '--type', tag: '--tag', group: '--group', model: '--model' }),
  status: { flag: '--status', words: CHANNEL_STATUS },
}
const usualOrder = { id_sort: 'false', tag_mode: 'false' }
const one: Pick<CommandTemplate, 'args'> = { args: ['id'] }
const several: Pick<CommandTemplate, 'args'> = { args: ['ids'] }
const { enabled, disabled } = TOKEN_STATUS

/** In the order in which they are tried. */
export const spokenCommandLines: Readonly<Record<string, readonly CommandTemplate[]>> = {
  'channels.list': [
    { command: 'channels ls', flags: { ...channelFilter, ...pageFrom(0, 'page_size') }, anyway: usualOrder },
  ],
  'channels.search': [
    { command: 'channels ls', flags: { keyword: { flag: '--search' }, ...channelFilter }, anyway: usualOrder },
  ],
  'channels.get': [{ command: 'channels show', ...one }],
  'channels.types': [{ command: 'channels types' }],
  'channels.test': [{ command: 'channels test', ...one, flags: flags({ model: '--model' }) }],
  'channels.updateBalance': [{ command: 'channels balance', ...one }],
  'channels.copy': [{ command: 'channels copy', ...one }],
  'channels.update': [
    { command: 'channels enable', ...one, only: { status: CHANNEL_STATUS.enabled } },
    { command: 'channels disable', ...one, only: { status: CHANNEL_STATUS.disabled }, sure: true },
  ],
  'channels.switchMany': [
    { command: 'channels enable', ...several, only: { status: CHANNEL_STATUS.enabled } },
    { command: 'channels disable', ...several, only: { status: CHANNEL_STATUS.disabled }, sure: true },
  ],
  'channels.enableTag': [{ command: 'channels enable', flags: flags({ tag: '--tag' }) }],
  'channels.disableTag': [{ command: 'channels disable', flags: flags({ tag: '--tag' }), sure: true }],
  'channels.delete': [{ command: 'channels rm', ...one, sure: true }],
  'channels.deleteMany': [{ command: 'channels rm', ...several, sure: true }],
  'channels.repair': [{ command: 'channels repair' }],
  'settings.resetPrices': [{ command: 'prices reset', sure: true }],
  'settings.testMail': [{ command: 'settings test-mail', args: ['email'] }],
  'tokens.list': [{ command: 'tokens ls', flags: pageFrom(0, 'size') }],
  'tokens.search': [{ command: 'tokens ls', flags: { keyword: { flag: '--search' }, ...pageFrom(0, 'size') } }],
  'tokens.get': [{ command: 'tokens show', ...one }],
  'tokens.update': [
    { command: 'tokens enable', ...one, only: { status: enabled, status_only: 'true' } },
    { command: 'tokens disable', ...one, only: { status: disabled, status_only: 'true' } },
  ],
  'tokens.delete': [{ command: 'tokens rm', ...one, sure: true }],
  'teams.list': [{ command: 'teams ls', flags: pageFrom(1, 'page_size'), only: { all: 'true' } }],
  'teams.get': [{ command: 'teams show', ...one }],
  'groups.list': [{ command: 'groups ls' }],
  'logs.list': [
    {
      command: 'logs ls',
      flags: {
        type: { flag: '--type', words: LOG_ROW_TYPE },
        ...flags({ username: '--user', token_name: '--token', model_name: '--model', operation: '--operation' }),
        ...flags({ channel: '--channel', group: '--group', request_id: '--request' }),
        start_timestamp: { flag: '--since', time: true },
        end_timestamp: { flag: '--until', time: true },
        ...pageFrom(1, 'page_size'),
      },
    },
  ],
}

/** Returns the command line; null if no command can express the whole input. */
export function toCommandLine(name: string, input: EndpointFields): string | null {
  for (const each of spokenCommandLines[name] ?? []) {
    const parts = toArguments(each, input)
    if (parts) return ['weir', each.command, ...parts, ...(each.sure ? ['--yes'] : [])].join(' ')
  }
  return null
}

function toArguments(
  { args: positional = [], flags = {}, only = {}, anyway = {} }: CommandTemplate,
  input: EndpointFields,
): string[] | null {
  if (Object.entries(only).some(([field, value]) => input[field] !== value)) return null
  const fields = Object.entries(input).filter(([field, value]) => !isNothing(value) && !(field in only))
  const named: string[] = []
  for (const [field, value] of fields) {
    const flag = flags[field]
    if (positional.includes(field) || anyway[field] === value) continue
    const word = flag && toArgument(flag, value)
    if (word === undefined) return null
    if (word !== '') named.push(`${flag!.flag}${formatAttachedValue(word)}`)
  }
  return [
    ...positional.flatMap((field) => [input[field]].flat()).map((value) => quoteShellWord(String(value))),
    ...named,
  ]
}

/** Returns whether a value does not filter. */
const isNothing = (value: unknown) => value === undefined || value === null || value === '' || value === 0

/** Returns the argument; empty if it is the default of the command, undefined if it cannot be expressed. */
function toArgument({ first, words, time }: Flag, value: unknown): string | undefined {
  if (first !== undefined) return Number(value) === first ? '' : String(Number(value) + 1 - first)
  if (words) return Object.keys(words).find((word) => words[word] === value)
  // Shorter numbers are read as years.
  if (time && !/^\d{9,}$/.test(String(value))) return undefined
  return typeof value === 'object' || String(value).includes('\0') ? undefined : String(value)
}
