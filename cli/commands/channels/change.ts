// `weir channels add`, `edit`, `enable`, `disable`, `copy` and `rm`.
import { type Channel, CHANNEL_STATUS } from '../../../core/channels/channel.ts'
import { changeChannelModels } from '../../../core/channels/changes.ts'
import { describeImpact } from '../../../core/channels/impact.ts'
import type { WeirClient } from '../../../core/contracts.ts'
import { fillTemplate, type Words } from '../../../core/errors.ts'
import {
  addQuestions,
  channelFieldFlags,
  editQuestions,
  parseChannelFields,
  findChannelType,
} from '../../input/channel-form.ts'
import { command } from '../../command.ts'
import { requireConfirmation } from '../../input/confirm.ts'
import { UsageError } from '../../failure.ts'
import { requireFlags } from '../../input/flags.ts'
import {
  getChannelState,
  channelRowView,
  findRequiredChannel,
  findTaggedChannels,
  listEveryChannel,
  addTypeNames,
} from '../../nouns/channel.ts'
import { STATES } from '../../nouns/states.data.ts'
import { printEachResult, type ResultPrinter } from '../../output/output.ts'
import { count, type OutputView } from '../../output/view.ts'
import { words } from '../../texts.ts'
import { channelForm, channelPatch } from '../../input/forms.built.ts'

// Selection of channels by id, name or tag, and the messages after a change.

export const oneChannelArgument = { spec: '<channel>', help: words('id or name') } as const
export const someChannelsArgument = { spec: '[channels...]', help: words('ids or names') } as const
export const channelTagOption = {
  flag: '--tag <tag>',
  help: words('all channels of this tag'),
} as const

const testFirstOption = {
  flag: '--test',
  help: words('test it first, free of charge: nothing is saved unless it answers'),
} as const

/** Help text for results that may be one object or a list. */
export const ONE_OR_LIST = words('For programs: of one channel an object, of several or with --tag a list.')

/** Checks at once that channels are selected in exactly one way. @throws UsageError */
export function needNamed(names: readonly string[], tag: string | undefined): void {
  if (names.length > 0 !== (tag !== undefined)) return
  throw new UsageError(words('Name channels, or give --tag: one of the two.'))
}

/** Returns the named channels, or all with the tag. @throws Refusal naming those that do not exist */
export async function findChosenChannels(
  weir: WeirClient,
  names: readonly string[],
  tag: string | undefined,
): Promise<Channel[]> {
  if (tag !== undefined) return findTaggedChannels(weir, tag)
  const found: Channel[] = []
  for (const name of names) found.push(await findRequiredChannel(weir, name))
  return found
}

/** Reports which models lose their only channel with these. Returns whether there were any. */
export async function printLosses(
  print: ResultPrinter,
  weir: WeirClient,
  rows: readonly { id: number }[],
): Promise<boolean> {
  const losses = describeImpact(await weir.channels.consequences({ ids: rows.map(({ id }) => id) }))
  for (const loss of losses) print.warn(loss, { always: true })
  return losses.length > 0
}

const formatChannel = ({ id, name }: Pick<Channel, 'id' | 'name'>) => `${id} "${name}"`

export const addCommand = command({
  endpoint: 'channels.create',
  name: 'add',
  output: { view: channelRowView, many: false },
  summary: words('Add a channel; on a terminal without --type it asks'),
  details: words(
    'Without --key the variable in which people keep a key of that provider is used, see `weir channels types`. Several keys make several channels: then programs get a list.',
  ),
  options: {
    type: {
      flag: '--type <id>',
      help: words('type of the provider, such as openai; see `weir channels types`'),
    },
    test: testFirstOption,
    ...channelFieldFlags(channelForm, {
      name: words('the name of its type'),
      models: words("the type's own"),
    }),
  },
  async run({ client, print, ask, options, env, readInput }) {
    const { type: typeName, test, ...flags } = options
    // A key on standard input leaves no input for questions.
    if (typeName === undefined && (!ask.possible || flags.key === '-')) requireFlags({ '--type': typeName })
    const fields = await parseChannelFields(flags, readInput)
    const weir = await client()
    const known = await weir.channels.types()
    const answers =
      typeName === undefined
        ? await ask.form(words('New channel'), addQuestions(known, flags, env), '--type')
        : { type: typeName }
    const { type: id = '', ...answered } = answers as { type?: string }
    const type = findChannelType(known, id)
    const given = { ...fields, ...answered }
    const key = given.key ?? (type.env ? env[type.env] : undefined)
    if (type.needs_key && !key) requireFlags({ '--key': undefined })
    const form = { name: type.name, models: type.models.join(','), ...given, type: type.type, key: key ?? '' }
    if (test) await ask.during(TESTING, weir.channels.try(form))
    const created = await weir.channels.create(form)
    const rows = await addTypeNames(weir, created)
    await printEachResult(print, rows, channelRowView, {
      many: rows.length > 1,
      human: (row) =>
        fillTemplate(words('Added channel {row}. Try it: weir channels test {id}'), {
          row: formatChannel(row),
          id: row.id,
        }),
    })
  },
})

const TESTING = words('Testing…')

const NOTHING = words(
  'Nothing to change: give --name, --key, --models or another flag, see `weir channels edit --help`.',
)

export const editCommand = command({
  endpoint: 'channels.update',
  name: 'edit',
  output: { view: channelRowView, many: false },
  summary: words('Change a channel; on a terminal without flags it asks'),
  details: fillTemplate(
    words(
      'Without a channel, --tag selects the channels to change; with one, it sets the tag of that channel. {oneOrList}',
    ),
    { oneOrList: ONE_OR_LIST },
  ),
  arguments: { channel: { spec: '[channel]', help: oneChannelArgument.help } },
  options: {
    enable: { flag: '--enable', help: words('switch it on') },
    disable: { flag: '--disable', help: words('switch it off') },
    keyOn: {
      flag: '--key-on <fingerprint>',
      help: words('switch one of several keys on again; see `weir channels keys`'),
    },
    newTag: {
      flag: '--new-tag <tag>',
      help: words('the tag that channels of --tag get; empty for none'),
    },
    addModels: {
      flag: '--add-models <list>',
      help: words('models to add to those of each channel, separated by commas'),
    },
    removeModels: {
      flag: '--remove-models <list>',
      help: words('models to remove from those of each channel, separated by commas'),
    },
    test: testFirstOption,
    ...channelFieldFlags(channelPatch),
  },
  async run({ client, money, print, ask, args, options, readInput }) {
    const { enable, disable, keyOn, newTag, addModels, removeModels, test, ...flags } = options
    if (enable && disable) throw new UsageError(words('--enable and --disable exclude each other.'))
    const names = args.channel === undefined ? [] : [args.channel]
    const tag = names.length === 0 ? flags.tag : undefined
    const status = enable ? CHANNEL_STATUS.enabled : disable ? CHANNEL_STATUS.disabled : undefined
    let fields = {
      ...(await parseChannelFields(tag === undefined ? flags : { ...flags, tag: undefined }, readInput)),
      ...(newTag === undefined ? {} : { tag: newTag || null }),
      ...(status === undefined ? {} : { status }),
      ...(keyOn ? { key_on: keyOn } : {}),
    }
    needNamed(names, tag)
    const ownModels = addModels !== undefined || removeModels !== undefined
    const isInteractive = Object.keys(fields).length === 0 && !ownModels
    if (isInteractive && (!ask.possible || tag !== undefined)) throw new UsageError(NOTHING)
    const weir = await client()
    const chosen = await findChosenChannels(weir, names, tag)
    const [first] = chosen
    if (isInteractive && first) {
      const title = fillTemplate(words('Channel {first}'), { first: formatChannel(first) })
      const answers = await ask.fields(title, editQuestions(first, await money()), '--name')
      fields = await parseChannelFields(answers, readInput)
    }
    const changed: Channel[] = []
    // A form takes time after reading. The version prevents overwriting a change made since.
    const read = isInteractive && first ? { version: first.version } : {}
    const changes = chosen.map(({ id, models, version }) => {
      const lists = { models: fields.models ?? '', add_models: addModels ?? '', remove_models: removeModels ?? '' }
      const own = ownModels ? { models: changeChannelModels(models, lists).join(','), version } : {}
      return { ...fields, ...read, ...own, id }
    })
    if (test)
      for (const { version: _version, ...change } of changes) await ask.during(TESTING, weir.channels.try(change))
    for (const change of changes) changed.push(await weir.channels.update(change))
    await printEachResult(print, await addTypeNames(weir, changed), channelRowView, {
      many: tag !== undefined,
      human: (row) => {
        const state = STATES[getChannelState(row) as keyof typeof STATES]
        return fillTemplate(words('Changed channel {row} ({state}).'), { row: formatChannel(row), state })
      },
    })
  },
})

const isInteractive = { yes: { flag: '--yes', help: words('do not ask') } } as const

const switching = (name: 'enable' | 'disable', summary: Words, done: Words) =>
  command({
    endpoint: 'channels.update',
    name,
    output: { view: channelRowView, many: false },
    summary,
    details: ONE_OR_LIST,
    arguments: { channels: someChannelsArgument },
    options: { tag: channelTagOption, ...(name === 'disable' ? isInteractive : {}) },
    async run({ client, print, ask, args, options: { tag, yes } }) {
      needNamed(args.channels, tag)
      const weir = await client()
      const chosen = await findChosenChannels(weir, args.channels, tag)
      // Without a person to ask, no warning stops the command: the channel can be enabled again.
      if (name === 'disable' && !yes && ask.possible && (await printLosses(print, weir, chosen))) {
        const which = chosen.map(formatChannel).join(', ')
        await requireConfirmation(ask, yes)(fillTemplate(words('Switch off channel {which}?'), { which }))
      }
      const status = CHANNEL_STATUS[`${name}d`]
      const changed: Channel[] = []
      for (const { id } of chosen) changed.push(await weir.channels.update({ id, status }))
      await printEachResult(print, await addTypeNames(weir, changed), channelRowView, {
        many: tag !== undefined || args.channels.length > 1,
        human: (row) => fillTemplate(words('{done} channel {row}.'), { done, row: formatChannel(row) }),
      })
    },
  })

export const enableCommand = switching('enable', words('Switch channels on'), words('Enabled'))
export const disableCommand = switching('disable', words('Switch channels off'), words('Disabled'))

export const copyCommand = command({
  endpoint: 'channels.copy',
  name: 'copy',
  output: { view: channelRowView, many: false },
  summary: words('Copy a channel with its key and all its settings'),
  arguments: { channel: oneChannelArgument },
  options: { name: { flag: '--name <text>', help: words('name of the copy') } },
  async run({ client, print, args, options: { name } }) {
    const weir = await client()
    const from = await findRequiredChannel(weir, args.channel)
    const made = await weir.channels.copy({ id: from.id })
    const copied = name === undefined ? made : await weir.channels.update({ id: made.id, name })
    const [row] = await addTypeNames(weir, [copied])
    await print.done(row!, channelRowView, {
      human: fillTemplate(words('Copied channel {from} to {copied}.'), {
        from: formatChannel(from),
        copied: formatChannel(copied),
      }),
      quietOutput: String(copied.id),
    })
  },
})

export const removeCommand = command({
  endpoint: 'channels.deleteMany',
  name: 'rm',
  aliases: ['delete'],
  output: { view: channelRowView, many: false },
  summary: words('Delete channels'),
  details: ONE_OR_LIST,
  arguments: { channels: someChannelsArgument },
  options: {
    tag: channelTagOption,
    disabled: { flag: '--disabled', help: words('all channels that are switched off, by people or by failures') },
    ...isInteractive,
  },
  async run({ client, print, ask, args, options: { tag, disabled, yes } }) {
    if (!disabled) needNamed(args.channels, tag)
    else if (args.channels.length > 0 || tag !== undefined) throw new UsageError(ONLY_DISABLED)
    const sure = requireConfirmation(ask, yes)
    const weir = await client()
    const chosen = disabled
      ? (await listEveryChannel(weir)).filter(({ status }) => status !== CHANNEL_STATUS.enabled)
      : await findChosenChannels(weir, args.channels, tag)
    if (chosen.length === 0) return print.list([], channelRowView, { empty: words('No channel is switched off.') })
    const rows = await addTypeNames(weir, chosen)
    const which = rows.map(formatChannel).join(', ')
    if (!yes) await printLosses(print, weir, rows)
    await sure(fillTemplate(words('Delete channel {which}?'), { which }))
    await weir.channels.deleteMany({ ids: rows.map(({ id }) => id) })
    await printEachResult(print, rows, channelRowView, {
      many: tag !== undefined || disabled === true || args.channels.length > 1,
      human: (row) => fillTemplate(words('Deleted channel {row}.'), { row: formatChannel(row) }),
    })
  },
})

const ONLY_DISABLED = words('--disabled selects the channels: give neither names nor --tag.')

interface RepairedChannels {
  changed: number
}

const repairedView: OutputView<RepairedChannels> = {
  changed: count(words('CHANGED CHANNELS'), 1, ({ changed }) => changed),
}

export const repairCommand = command({
  endpoint: 'channels.repair',
  name: 'repair',
  output: { view: repairedView, many: false },
  summary: words('Clean up the lists of models and groups of all channels, and reload them'),
  async run({ client, print }) {
    const changed = await (await client()).channels.repair()
    await print.done({ changed }, repairedView, {
      human: fillTemplate(words('Channels that were changed: {changed}.'), { changed }),
      quietOutput: String(changed),
    })
  },
})
