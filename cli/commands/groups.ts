// `weir groups …`: groups of users and channels, and their price multipliers.
import type { GroupRow } from '../../core/groups/contract.ts'
import type { WeirClient } from '../../core/contracts.ts'
import { fillTemplate } from '../../core/errors.ts'
import { command, group, LIST_COMMAND } from '../command.ts'
import { UsageError } from '../failure.ts'
import { groupRowView } from '../nouns/group.ts'
import { findByName } from '../nouns/names.ts'
import { requireConfirmation } from '../input/confirm.ts'
import { words } from '../texts.ts'

const named = { spec: '<group>', help: words('name of the group') } as const

const list = command({
  endpoint: 'groups.table',
  ...LIST_COMMAND,
  output: { view: groupRowView, many: true },
  summary: words('List groups with their price ratios, and how many users, tokens and channels have them'),
  async run({ client, print }) {
    await print.list(await (await client()).groups.table(), groupRowView, { empty: NONE })
  },
  own: {
    options: [],
    async run({ client, print }) {
      const usable = Object.entries(await (await client()).groups.usable())
      const rows = usable.map(([name, { ratio, desc }]) => ({ name, ratio, description: desc }))
      await print.list(rows, groupRowView, { empty: NONE })
    },
  },
})

const NONE = words('No groups.')

/** Parses a multiplier. @throws UsageError */
function parseRatio(flag: string, typed: string): number {
  const value = Number(typed)
  if (typed.trim() !== '' && Number.isFinite(value) && value >= 0) return value
  throw new UsageError(fillTemplate(words('{flag} must be a number from 0, like 0.8, not "{typed}".'), { flag, typed }))
}

/** Parses `vip=0.5,svip=`: the multipliers for users of other groups; an empty value removes one. @throws UsageError */
function parseSpecial(typed: string): Record<string, number | null> {
  return Object.fromEntries(
    typed.split(',').map((pair) => {
      const at = pair.lastIndexOf('=')
      if (at < 1)
        throw new UsageError(fillTemplate(words('--special takes GROUP=RATIO, like vip=0.5, not "{pair}".'), { pair }))
      const value = pair.slice(at + 1).trim()
      return [pair.slice(0, at).trim(), value === '' ? null : parseRatio('--special', value)]
    }),
  )
}

const set = command({
  endpoint: 'groups.set',
  name: 'set',
  aliases: ['add', 'edit'],
  output: { view: groupRowView, many: false },
  summary: words('Make a group, or change one; what is left out stays'),
  details: words("weir groups set vip --ratio 0.8 --description 'VIP group'"),
  arguments: { group: named },
  options: {
    ratio: {
      flag: '--ratio <number>',
      help: words('the price ratio; 1 for a new group'),
    },
    description: {
      flag: '--description <text>',
      help: words('everybody may choose the group for tokens, and reads this; empty leaves it to users of the group'),
    },
    special: {
      flag: '--special <list>',
      help: words('ratios for users of other groups: vip=0.5,svip=0.4; svip= removes one'),
    },
  },
  async run({ client, print, args, options }) {
    const { ratio, description, special } = options
    const change = {
      ...(ratio === undefined ? {} : { ratio: parseRatio('--ratio', ratio) }),
      ...(description === undefined ? {} : { description: description || null }),
      ...(special === undefined ? {} : { special: parseSpecial(special) }),
    }
    if (Object.keys(change).length === 0)
      throw new UsageError(words('Nothing to set: give --ratio, --description or --special.'))
    const row = await (await client()).groups.set({ name: args.group, ...change })
    await print.done(row, groupRowView, {
      human: fillTemplate(words('The ratio of {name} is {ratio}; {description} for tokens. It takes effect at once.'), {
        name: row.name,
        ratio: row.ratio,
        description:
          row.description === null ? words('only its users may choose it') : words('everybody may choose it'),
      }),
      quietOutput: row.name,
    })
  },
})

const remove = command({
  endpoint: 'groups.remove',
  name: 'rm',
  aliases: ['delete'],
  output: { view: groupRowView, many: false },
  summary: words('Remove a group; if it is in use, show by whom, and ask'),
  details: words(
    'Tokens that name the group are refused then; its users go on at a ratio of 1 where a channel still serves it.',
  ),
  arguments: { group: named },
  options: { yes: { flag: '--yes', help: words('do not ask') } },
  async run({ client, print, ask, args, options }) {
    const sure = requireConfirmation(ask, options.yes)
    const weir = await client()
    const row = await findByName({
      name: args.group,
      rows: await weir.groups.table(),
      getNames: ({ name }) => [name],
      describe: ({ name }) => name,
      missing: words('No group is called "{name}": see `weir groups`.'),
      several: words('Several groups are called "{name}" but for their letter case: {ids}.'),
      kind: 'group',
    })
    const isUsed = row.users + row.tokens + row.channels > 0
    if (isUsed) print.warn(fillTemplate(USED_BY, { group: row.name, ...(await formatUses(weir, row)) }))
    await sure(fillTemplate(REMOVE, { group: row.name }))
    const gone = await weir.groups.remove({ name: row.name, in_use: isUsed })
    await print.done(gone, groupRowView, { human: fillTemplate(REMOVED, { group: row.name }), quietOutput: row.name })
  },
})

const SHOWN_NAMES = 5

/** Formats the number of users and channels with their first names, and the number of tokens. */
async function formatUses(weir: WeirClient, { name, users, tokens, channels }: GroupRow) {
  const some = (count: number, names: string[]) =>
    count === 0 ? '0' : `${count} (${names.slice(0, SHOWN_NAMES).join(', ')}${count > SHOWN_NAMES ? ', …' : ''})`
  const people = users === 0 ? [] : (await weir.users.search({ group: name, page_size: SHOWN_NAMES })).items
  const serving = channels === 0 ? [] : await weir.channels.search({ group: name })
  return {
    users: some(
      users,
      people.map(({ username }) => username),
    ),
    channels: some(
      channels,
      serving.map((channel) => channel.name),
    ),
    tokens,
  }
}

const USED_BY = words(
  'The group {group} is used: users {users}, channels {channels}, tokens {tokens}. Its tokens will be refused, its users pay a ratio of 1.',
)
const REMOVE = words('Remove the group {group}?')
const REMOVED = words('Removed the group {group}.')

export const groupsCommand = group({
  name: 'groups',
  summary: words('Groups and their price ratios'),
  commands: [list, set, remove],
})
