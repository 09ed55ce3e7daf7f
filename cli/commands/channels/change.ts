// `weir channels add`, `edit`, `enable`, `disable`, `copy` and `rm`.
import { type Channel, CHANNEL_STATUS, ChannelForm, ChannelPatch } from '../../../core/channels/channel.ts'
import { changeModels } from '../../../core/channels/changes.ts'
import { describeImpact } from '../../../core/channels/impact.ts'
import type { WeirClient } from '../../../core/contracts.ts'
import { words, type Words } from '../../../core/errors.ts'
import { addQuestions, channelFlags, editQuestions, fieldsOf, typeOf } from '../../channel-form.ts'
import { command } from '../../command.ts'
import { requireConfirmation } from '../../confirm.ts'
import { UsageError } from '../../failure.ts'
import { need } from '../../flags.ts'
import { channelStateOf, channelView, needChannel, needTagged, withTypes } from '../../nouns/channel.ts'
import { STATES } from '../../nouns/states.data.ts'
import { tellEach, type Printer } from '../../output.ts'

// Selection of channels by id, name or tag, and the messages after a change.

export const oneChannel = { spec: '<channel>', help: words('id or name', '编号或名称') } as const
export const someChannels = { spec: '[channels...]', help: words('ids or names', '编号或名称') } as const
export const tagOption = {
  flag: '--tag <tag>',
  help: words('all channels of this tag', '此标签的全部渠道'),
} as const

/** Help text for results that may be one object or a list. */
export const ONE_OR_LIST = words(
  'For programs: of one channel an object, of several or with --tag a list.',
  '供程序使用：单个渠道输出对象，多个渠道或使用 --tag 时输出列表。',
)

/** Checks at once that channels are selected in exactly one way. @throws UsageError */
export function needNamed(names: readonly string[], tag: string | undefined): void {
  if (names.length > 0 !== (tag !== undefined)) return
  throw new UsageError(words('Name channels, or give --tag: one of the two.', '请指定渠道或给出 --tag，二者取其一。'))
}

/** Returns the named channels, or all with the tag. @throws Refusal naming those that do not exist */
export async function chosenChannels(
  weir: WeirClient,
  names: readonly string[],
  tag: string | undefined,
): Promise<Channel[]> {
  if (tag !== undefined) return needTagged(weir, tag)
  const found: Channel[] = []
  for (const name of names) found.push(await needChannel(weir, name))
  return found
}

/** Reports which models lose their only channel with these. Returns whether there were any. */
export async function saidLosses(print: Printer, weir: WeirClient, rows: readonly { id: number }[]): Promise<boolean> {
  const losses = describeImpact(await weir.channels.consequences({ ids: rows.map(({ id }) => id) }))
  for (const loss of losses) print.warn(loss, { always: true })
  return losses.length > 0
}

const formatChannel = ({ id, name }: Pick<Channel, 'id' | 'name'>) => `${id} "${name}"`

export const add = command({
  name: 'add',
  output: { view: channelView, many: false },
  summary: words('Add a channel; on a terminal without --type it asks', '添加渠道；在终端上不给 --type 时会提问'),
  details: words(
    'Without --key the variable in which people keep a key of that provider is used, see `weir channels types`. ' +
      'Several keys make several channels: then programs get a list.',
    '未给 --key 时，使用该服务商常用的密钥变量，见 `weir channels types`。多个密钥会创建多个渠道：此时程序得到列表。',
  ),
  options: {
    type: {
      flag: '--type <id>',
      help: words(
        'type of the provider, such as openai; see `weir channels types`',
        '服务商类型，如 openai；见 `weir channels types`',
      ),
    },
    ...channelFlags(ChannelForm, {
      name: words('the name of its type', '类型的名称'),
      models: words("the type's own", '类型自带的模型'),
    }),
  },
  async run({ client, print, ask, options, env, readInput }) {
    const { type: typeName, ...flags } = options
    // A key on standard input leaves no input for questions.
    if (typeName === undefined && (!ask.possible || flags.key === '-')) need({ '--type': typeName })
    const fields = await fieldsOf(flags, readInput)
    const weir = await client()
    const known = await weir.channels.types()
    const answers =
      typeName === undefined
        ? await ask.form(words('New channel', '新渠道'), addQuestions(known, flags, env), '--type')
        : { type: typeName }
    const { type: id = '', ...answered } = answers as { type?: string }
    const type = typeOf(known, id)
    const given = { ...fields, ...answered }
    const key = given.key ?? (type.env ? env[type.env] : undefined)
    if (type.needs_key && !key) need({ '--key': undefined })
    const created = await weir.channels.create({
      name: type.name,
      models: type.models.join(','),
      ...given,
      type: type.type,
      key: key ?? '',
    })
    const rows = await withTypes(weir, created)
    await tellEach(print, rows, channelView, {
      many: rows.length > 1,
      human: (row) =>
        words(
          `Added channel ${formatChannel(row)}. Try it: weir channels test ${row.id}`,
          `已添加渠道 ${formatChannel(row)}。试一试：weir channels test ${row.id}`,
        ),
    })
  },
})

const NOTHING = words(
  'Nothing to change: give --name, --key, --models or another flag, see `weir channels edit --help`.',
  '没有要更改的内容：请给出 --name、--key、--models 等选项，见 `weir channels edit --help`。',
)

export const edit = command({
  name: 'edit',
  output: { view: channelView, many: false },
  summary: words('Change a channel; on a terminal without flags it asks', '更改渠道；在终端上不给选项时会提问'),
  details: words(
    `Without a channel --tag names those that are changed; beside one it is the tag that it gets. ${ONE_OR_LIST.en}`,
    `未指定渠道时，--tag 选定要更改的渠道；指定渠道时，--tag 是它得到的标签。${ONE_OR_LIST.zh}`,
  ),
  arguments: { channel: { spec: '[channel]', help: oneChannel.help } },
  options: {
    enable: { flag: '--enable', help: words('switch it on', '启用') },
    disable: { flag: '--disable', help: words('switch it off', '禁用') },
    keyOn: {
      flag: '--key-on <fingerprint>',
      help: words(
        'switch one of several keys on again; see `weir channels keys`',
        '重新启用多个密钥中的一个；见 `weir channels keys`',
      ),
    },
    newTag: {
      flag: '--new-tag <tag>',
      help: words('the tag that channels of --tag get; empty for none', '--tag 的渠道改用的标签；留空则去除'),
    },
    addModels: {
      flag: '--add-models <list>',
      help: words('models to add to those of each channel, separated by commas', '添加到每个渠道的模型，以逗号分隔'),
    },
    removeModels: {
      flag: '--remove-models <list>',
      help: words(
        'models to remove from those of each channel, separated by commas',
        '从每个渠道移除的模型，以逗号分隔',
      ),
    },
    ...channelFlags(ChannelPatch),
  },
  async run({ client, print, ask, args, options, readInput }) {
    const { enable, disable, keyOn, newTag, addModels, removeModels, ...flags } = options
    if (enable && disable)
      throw new UsageError(words('--enable and --disable exclude each other.', '--enable 与 --disable 不能同时使用。'))
    const names = args.channel === undefined ? [] : [args.channel]
    const tag = names.length === 0 ? flags.tag : undefined
    const status = enable ? CHANNEL_STATUS.enabled : disable ? CHANNEL_STATUS.disabled : undefined
    let fields = {
      ...(await fieldsOf(tag === undefined ? flags : { ...flags, tag: undefined }, readInput)),
      ...(newTag === undefined ? {} : { tag: newTag || null }),
      ...(status === undefined ? {} : { status }),
      ...(keyOn ? { key_on: keyOn } : {}),
    }
    needNamed(names, tag)
    const ownModels = addModels !== undefined || removeModels !== undefined
    const asks = Object.keys(fields).length === 0 && !ownModels
    if (asks && (!ask.possible || tag !== undefined)) throw new UsageError(NOTHING)
    const weir = await client()
    const chosen = await chosenChannels(weir, names, tag)
    const [first] = chosen
    if (asks && first) {
      const title = words(`Channel ${formatChannel(first)}`, `渠道 ${formatChannel(first)}`)
      const answers = await ask.form(title, editQuestions(first), '--name')
      fields = Object.fromEntries(Object.entries(answers).filter(([name, text]) => name !== 'key' || text !== ''))
    }
    const changed: Channel[] = []
    // A form takes time after reading. The version prevents overwriting a change made since.
    const read = asks && first ? { version: first.version } : {}
    for (const { id, models, version } of chosen) {
      const lists = { models: fields.models ?? '', add_models: addModels ?? '', remove_models: removeModels ?? '' }
      const own = ownModels ? { models: changeModels(models, lists).join(','), version } : {}
      changed.push(await weir.channels.update({ ...fields, ...read, ...own, id }))
    }
    await tellEach(print, await withTypes(weir, changed), channelView, {
      many: tag !== undefined,
      human: (row) => {
        const state = STATES[channelStateOf(row) as keyof typeof STATES]
        return words(
          `Changed channel ${formatChannel(row)} (${state.en}).`,
          `已更改渠道 ${formatChannel(row)}（${state.zh}）。`,
        )
      },
    })
  },
})

const asks = { yes: { flag: '--yes', help: words('do not ask', '不再询问') } } as const

const switching = (name: 'enable' | 'disable', summary: Words, done: Words) =>
  command({
    name,
    output: { view: channelView, many: false },
    summary,
    details: ONE_OR_LIST,
    arguments: { channels: someChannels },
    options: { tag: tagOption, ...(name === 'disable' ? asks : {}) },
    async run({ client, print, ask, args, options: { tag, yes } }) {
      needNamed(args.channels, tag)
      const weir = await client()
      const chosen = await chosenChannels(weir, args.channels, tag)
      // Without a person to ask, no warning stops the command: the channel can be enabled again.
      if (name === 'disable' && !yes && ask.possible && (await saidLosses(print, weir, chosen))) {
        const which = chosen.map(formatChannel).join(', ')
        await requireConfirmation(ask, yes)(words(`Switch off channel ${which}?`, `禁用渠道 ${which}？`))
      }
      const status = CHANNEL_STATUS[`${name}d`]
      const changed: Channel[] = []
      for (const { id } of chosen) changed.push(await weir.channels.update({ id, status }))
      await tellEach(print, await withTypes(weir, changed), channelView, {
        many: tag !== undefined || args.channels.length > 1,
        human: (row) => words(`${done.en} channel ${formatChannel(row)}.`, `${done.zh}渠道 ${formatChannel(row)}。`),
      })
    },
  })

export const enable = switching('enable', words('Switch channels on', '启用渠道'), words('Enabled', '已启用'))
export const disable = switching('disable', words('Switch channels off', '禁用渠道'), words('Disabled', '已禁用'))

export const copy = command({
  name: 'copy',
  output: { view: channelView, many: false },
  summary: words('Copy a channel with its key and all its settings', '复制渠道及其密钥与全部设置'),
  arguments: { channel: oneChannel },
  options: { name: { flag: '--name <text>', help: words('name of the copy', '副本的名称') } },
  async run({ client, print, args, options: { name } }) {
    const weir = await client()
    const from = await needChannel(weir, args.channel)
    const made = await weir.channels.copy({ id: from.id })
    const copied = name === undefined ? made : await weir.channels.update({ id: made.id, name })
    const [row] = await withTypes(weir, [copied])
    await print.done(row!, channelView, {
      human: words(
        `Copied channel ${formatChannel(from)} to ${formatChannel(copied)}.`,
        `已将渠道 ${formatChannel(from)} 复制为 ${formatChannel(copied)}。`,
      ),
      bare: String(copied.id),
    })
  },
})

export const remove = command({
  name: 'rm',
  aliases: ['delete'],
  output: { view: channelView, many: false },
  summary: words('Delete channels', '删除渠道'),
  details: ONE_OR_LIST,
  arguments: { channels: someChannels },
  options: { tag: tagOption, ...asks },
  async run({ client, print, ask, args, options: { tag, yes } }) {
    needNamed(args.channels, tag)
    const sure = requireConfirmation(ask, yes)
    const weir = await client()
    const rows = await withTypes(weir, await chosenChannels(weir, args.channels, tag))
    const which = rows.map(formatChannel).join(', ')
    if (!yes) await saidLosses(print, weir, rows)
    await sure(words(`Delete channel ${which}?`, `删除渠道 ${which}？`))
    for (const { id } of rows) await weir.channels.delete({ id })
    await tellEach(print, rows, channelView, {
      many: tag !== undefined || args.channels.length > 1,
      human: (row) => words(`Deleted channel ${formatChannel(row)}.`, `已删除渠道 ${formatChannel(row)}。`),
    })
  },
})
