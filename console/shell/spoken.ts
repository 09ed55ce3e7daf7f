// Commands of the terminal that say what a page asks for: an endpoint by its name, and what of its input stands in which flag.
// Whatever a command cannot say is left to `weir call`, so that no line says less than the page did.
import { LOG_TYPE } from '../../core/calls/log-entry.ts'
import { CHANNEL_STATUS } from '../../core/channels/channel.ts'
import { after, quoteShellWord } from '../../core/contract/command-line.ts'
import { TOKEN_STATUS } from '../../core/tokens/token.ts'

type Input = Readonly<Record<string, unknown>>

interface Flag {
  flag: string
  /** The page that a list begins with. */
  first?: number
  /** The words that stand for numbers. */
  words?: Readonly<Record<string, number>>
  /** Epoch seconds. */
  time?: boolean
}

export interface CommandTemplate {
  /** Behind `weir`. */
  command: string
  /** Fields that stand there bare; of a list each. */
  bare?: readonly string[]
  flags?: Readonly<Record<string, Flag>>
  /** Only of an input that has these. */
  only?: Readonly<Record<string, string | number>>
  /** What goes without saying. */
  anyway?: Readonly<Record<string, string>>
  /** The page has asked already. */
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
const one = { bare: ['id'] }
const several = { bare: ['ids'] }
const { enabled, disabled } = TOKEN_STATUS

/** In the order in which they are tried. */
export const commandLines: Readonly<Record<string, readonly CommandTemplate[]>> = {
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
        type: { flag: '--type', words: LOG_TYPE },
        ...flags({ username: '--user', token_name: '--token', model_name: '--model', operation: '--operation' }),
        ...flags({ channel: '--channel', group: '--group', request_id: '--request' }),
        start_timestamp: { flag: '--since', time: true },
        end_timestamp: { flag: '--until', time: true },
        ...pageFrom(1, 'page_size'),
      },
    },
  ],
}

/** Null where no command says all of it. */
export function toCommandLine(name: string, input: Input): string | null {
  for (const each of commandLines[name] ?? []) {
    const said = wordsOf(each, input)
    if (said) return ['weir', each.command, ...said, ...(each.sure ? ['--yes'] : [])].join(' ')
  }
  return null
}

function wordsOf({ bare = [], flags = {}, only = {}, anyway = {} }: CommandTemplate, input: Input): string[] | null {
  if (Object.entries(only).some(([field, value]) => input[field] !== value)) return null
  const fields = Object.entries(input).filter(([field, value]) => !isNothing(value) && !(field in only))
  const named: string[] = []
  for (const [field, value] of fields) {
    const flag = flags[field]
    if (bare.includes(field) || anyway[field] === value) continue
    const word = flag && wordOf(flag, value)
    if (word === undefined) return null
    if (word !== '') named.push(`${flag!.flag}${after(word)}`)
  }
  return [...bare.flatMap((field) => [input[field]].flat()).map((value) => quoteShellWord(String(value))), ...named]
}

/** What narrows nothing down. */
const isNothing = (value: unknown) => value === undefined || value === null || value === '' || value === 0

/** Empty where it is what the command does anyway; undefined where it cannot be said. */
function wordOf({ first, words, time }: Flag, value: unknown): string | undefined {
  if (first !== undefined) return Number(value) === first ? '' : String(Number(value) + 1 - first)
  if (words) return Object.keys(words).find((word) => words[word] === value)
  // Shorter numbers are read as years.
  if (time && !/^\d{9,}$/.test(String(value))) return undefined
  return typeof value === 'object' || String(value).includes('\0') ? undefined : String(value)
}
