// The table that completion reads instead of the commands themselves, because loading those takes too long for a press
// of Tab.
import type { ArgumentSpec, Command, CommandEntry, OptionSpec } from '../command.ts'
import { findDefaultCommand, findSingular, listAliases } from '../command.ts'
import type { BilingualText } from '../language.ts'
import { words } from '../texts.ts'

/** The possible values at a position: fixed words, or names or ids that the gateway or this machine knows. */
export interface CompletionSlot {
  choices?: readonly string[]
  names?: CompletionKind
  /** true if ids are offered, not names. */
  id?: true
  /** true if all further words are of this kind. */
  rest?: true
}

export type CompletionKind = 'users' | 'teams' | 'tokens' | 'channels' | 'models' | 'groups' | 'contexts'

/** English and Chinese. */
type About = readonly [string, string]

export interface CompletionNode {
  about: About
  /** Flags by name; null for a flag without a value. */
  flags: Record<string, CompletionSlot | null>
  args: readonly CompletionSlot[]
  /** For a group: its commands by name and alias, and the default command. */
  commands?: Record<string, CompletionNode>
  usual?: string
  /** true for an alias, which is not offered. */
  alias?: true
}

export type CompletionTable = CompletionNode & { commands: Record<string, CompletionNode> }

/** Maps a placeholder in `<…>`, or a flag, to the kind of its value. */
const KINDS: Record<string, CompletionKind> = {
  user: 'users',
  username: 'users',
  team: 'teams',
  token: 'tokens',
  channel: 'channels',
  model: 'models',
  models: 'models',
  group: 'groups',
  context: 'contexts',
}
const kinds = new Set<string>(Object.values(KINDS))

/** FixedWords word lists, by the position they belong to. */
export type FixedWords = Readonly<Record<string, readonly string[]>>

/** Builds the table; `fixed` has the words of positions like `call [endpoint]`. */
export function toCompletionTable(
  entries: readonly CommandEntry[],
  globals: Record<string, OptionSpec>,
  fixed: FixedWords,
): CompletionTable {
  const buildNode = (command: Command, group: string): CompletionNode => ({
    about: toSummary(command.summary),
    flags: buildFlags(command.options, group),
    args: Object.values(command.arguments).map((argument) => buildArgumentSlot(argument, group || command.name, fixed)),
  })
  const buildNamed = (
    command: Command,
    neighbours: readonly CommandEntry[],
    group = '',
  ): [string, CompletionNode][] => [
    [command.name, buildNode(command, group)],
    ...listAliases(command, neighbours).map((name): [string, CompletionNode] => [
      name,
      { ...buildNode(command, group), alias: true },
    ]),
  ]
  const buildNodes = (list: readonly CommandEntry[], group = ''): Record<string, CompletionNode> =>
    Object.fromEntries(
      list.flatMap((entry): [string, CompletionNode][] => {
        if (!('commands' in entry)) return buildNamed(entry, list, group)
        const inner = { commands: buildNodes(entry.commands, entry.name) }
        const usual = findDefaultCommand(entry)?.name
        const node = { about: toSummary(entry.summary), flags: {}, args: [], ...inner, ...(usual ? { usual } : {}) }
        const singular = findSingular(entry.name)
        return [
          [entry.name, node],
          ...(singular ? [[singular, { ...node, alias: true }] as [string, CompletionNode]] : []),
        ]
      }),
    )
  const about = toSummary(words('Weir'))
  return { about, flags: buildFlags(globals, ''), args: [], commands: buildNodes(entries) }
}

const toSummary = (text: BilingualText): About => (typeof text === 'string' ? [text, text] : [text.en, text.zh])

function buildFlags(options: Record<string, OptionSpec>, group: string): CompletionNode['flags'] {
  return Object.fromEntries(
    Object.values(options).map(({ flag, choices }) => {
      const [name = '', value] = flag.split(' ')
      const word = value?.replace(/[<>[\].]/g, '')
      return [name, word === undefined ? null : choices ? { choices } : buildSlot(word, name.slice(2), group)]
    }),
  )
}

function buildArgumentSlot({ spec }: ArgumentSpec, group: string, fixed: FixedWords): CompletionSlot {
  const word = spec.replace(/[<>[\].]/g, '')
  const choices = fixed[`${group} ${word}`]
  const slot = choices ? { choices } : buildSlot(word, word, group)
  return spec.includes('...') ? { ...slot, rest: true } : slot
}

/** Builds a slot from the placeholder `word` and the flag `name`. */
function buildSlot(word: string, name: string, group: string): CompletionSlot {
  const kind = KINDS[word] ?? (word === 'name' || word === 'list' || word === 'id' ? KINDS[name] : undefined)
  if (kind) return word === 'id' ? { names: kind, id: true } : { names: kind }
  if (word === 'id' && name === 'id' && kinds.has(group)) return { names: group as CompletionKind, id: true }
  return {}
}
