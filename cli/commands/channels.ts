// `weir channels …`: the configured upstreams.
import { CHANNEL_STATUS, ChannelForm, ChannelPatch, namesIn, type Channel } from '../../core/channels/channel.ts'
import { addQuestions, channelFlags, editQuestions, fieldsOf, typeOf, type ChannelType } from '../channel-form.ts'
import { command, group } from '../command.ts'
import { UsageError } from '../failure.ts'
import { channelState, stateTone, timeText } from '../format.ts'
import { idOf, need, wholeNumber } from '../input.ts'
import type { Column } from '../table.ts'
import { needSure } from '../sure.ts'
import { testChannels } from '../channel-test.ts'

const columns = (types: readonly ChannelType[]): Column<Channel>[] => [
  { title: 'ID', rank: 1, value: (channel) => channel.id, right: true },
  { title: 'NAME', rank: 1, flexible: true, value: (channel) => channel.name, tone: () => 'strong' },
  { title: 'TYPE', rank: 2, value: ({ type }) => types.find((one) => one.type === type)?.id ?? type },
  {
    title: 'STATUS',
    rank: 1,
    value: ({ status }) => channelState(status),
    tone: ({ status }) => stateTone(channelState(status)),
  },
  { title: 'GROUPS', rank: 3, flexible: true, value: (channel) => channel.group },
  { title: 'PRIORITY', rank: 3, value: (channel) => channel.priority, right: true },
  { title: 'WEIGHT', rank: 4, value: (channel) => channel.weight, right: true },
  { title: 'TESTED', rank: 5, value: (channel) => timeText(channel.test_time) },
  { title: 'MODELS', rank: 2, flexible: true, value: (channel) => namesIn(channel.models).join(', ') },
]

const list = command({
  name: 'list',
  summary: 'List channels by priority',
  options: {
    search: { flag: '--search <text>', help: 'id, part of the name, or a whole key' },
    group: { flag: '--group <name>', help: 'only channels of this group' },
    model: { flag: '--model <name>', help: 'only channels that serve this model' },
    page: { flag: '--page <number>', help: 'page, from 1' },
    limit: { flag: '--limit <number>', help: 'channels per page, up to 100 (otherwise 100)' },
  },
  async run({ client, print, options: { search, group: inGroup, model, page, limit } }) {
    const slice = { p: wholeNumber('--page', page ?? '1') - 1, page_size: wholeNumber('--limit', limit ?? '100') }
    const weir = await client()
    const found =
      search !== undefined || inGroup !== undefined || model !== undefined
        ? await weir.channels.search({ keyword: search, group: inGroup, model })
        : (await weir.channels.list(slice)).data
    await print.rows(found, columns(print.json || print.quiet ? [] : await weir.channels.types()), {
      empty: 'No channels yet: `weir channels add` makes one.',
    })
  },
})

const types = command({
  name: 'types',
  summary: 'List the types a channel can have',
  async run({ client, print }) {
    await print.rows(
      await (await client()).channels.types(),
      [
        { title: 'ID', rank: 1, value: ({ id }) => id, tone: () => 'strong' },
        { title: 'NAME', rank: 1, flexible: true, value: ({ name }) => name },
        { title: 'KEY VARIABLE', rank: 2, value: ({ env }) => env ?? '' },
        { title: 'BASE URL', rank: 3, flexible: true, value: ({ base_url }) => base_url },
        { title: 'MODELS', rank: 4, flexible: true, value: ({ models }) => models.join(', '), tone: () => 'faint' },
      ],
      { empty: 'No types.' },
    )
  },
})

const add = command({
  name: 'add',
  summary: 'Add a channel; on a terminal without --type it asks',
  details: 'Without --key the variable in which people keep a key of that provider is used, see `weir channels types`.',
  options: {
    type: { flag: '--type <id>', help: 'type of the provider, such as openai; see `weir channels types`' },
    ...channelFlags(ChannelForm, { name: 'the name of its type', models: "the type's own" }),
  },
  async run({ client, print, ask, options, env, readInput }) {
    const { type: wanted, ...flags } = options
    // A key on standard input leaves nothing to ask with.
    if (wanted === undefined && (!ask.possible || flags.key === '-')) need({ '--type': wanted })
    const fields = await fieldsOf(flags, readInput)
    const weir = await client()
    const known = await weir.channels.types()
    const answers =
      wanted === undefined ? await ask.form('New channel', addQuestions(known, flags, env), '--type') : { type: wanted }
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
    const names = created.map((channel) => `${channel.id} "${channel.name}"`).join(', ')
    await print.result(created.length === 1 ? created[0] : created, {
      human: `Added channel ${names}. Try it: weir channels test ${created[0]?.id ?? ''}`,
      bare: created.map((channel) => channel.id).join('\n'),
    })
  },
})

const edit = command({
  name: 'edit',
  summary: 'Change a channel; on a terminal without flags it asks',
  arguments: { id: { spec: '<id>', help: 'id of the channel' } },
  options: {
    enable: { flag: '--enable', help: 'switch it on' },
    disable: { flag: '--disable', help: 'switch it off' },
    keyOn: { flag: '--key-on <fingerprint>', help: 'switch one of several keys on again; see `weir route explain`' },
    ...channelFlags(ChannelPatch),
  },
  async run({ client, print, ask, args, options, readInput }) {
    const id = idOf(args.id)
    const { enable, disable, keyOn, ...flags } = options
    if (enable && disable) throw new UsageError('--enable and --disable exclude each other.')
    const status = enable ? CHANNEL_STATUS.enabled : disable ? CHANNEL_STATUS.disabled : undefined
    let fields = {
      ...(await fieldsOf(flags, readInput)),
      ...(status === undefined ? {} : { status }),
      ...(keyOn ? { key_on: keyOn } : {}),
    }
    if (Object.keys(fields).length === 0 && !ask.possible) {
      throw new UsageError(
        'Nothing to change: give --name, --key, --models or another flag, see `weir channels edit --help`.',
      )
    }
    const weir = await client()
    if (Object.keys(fields).length === 0) {
      const answers = await ask.form(`Channel ${id}`, editQuestions(await weir.channels.get({ id })), '--name')
      fields = Object.fromEntries(Object.entries(answers).filter(([name, text]) => name !== 'key' || text !== ''))
    }
    const channel = await weir.channels.update({ ...fields, id })
    await print.result(channel, {
      human: `Changed channel ${id} "${channel.name}" (${channelState(channel.status)}).`,
      bare: String(id),
    })
  },
})

const test = command({
  name: 'test',
  summary: 'Send the smallest possible call through a channel, or through every enabled one; charged to nobody',
  failsWhen: 'a channel fails',
  arguments: { id: { spec: '[id]', help: 'id of the channel (otherwise all enabled ones)' } },
  options: { model: { flag: '--model <name>', help: "model to ask for (otherwise the channel's test model)" } },
  async run({ client, print, ask, args, options, language, failed }) {
    const id = args.id === undefined ? undefined : idOf(args.id)
    const weir = await client()
    const chosen =
      id === undefined
        ? (await weir.channels.list({ page_size: 100 })).data.filter(({ status }) => status === CHANNEL_STATUS.enabled)
        : [await weir.channels.get({ id })]
    const testing = testChannels(weir, chosen, { model: options.model, language })
    const results = await ask.during(chosen.length === 1 ? 'Testing…' : `Testing ${chosen.length} channels…`, testing)
    await print.rows(
      results,
      [
        { title: 'ID', rank: 1, value: ({ id }) => id, right: true },
        { title: 'NAME', rank: 1, flexible: true, value: ({ name }) => name, tone: () => 'strong' },
        {
          title: 'RESULT',
          rank: 1,
          value: ({ ok }) => (ok ? 'ok' : 'failed'),
          tone: ({ ok }) => (ok ? 'good' : 'bad'),
        },
        { title: 'SECONDS', rank: 2, value: ({ time }) => time?.toFixed(2) ?? '', right: true },
        { title: 'MESSAGE', rank: 1, flexible: true, value: ({ message }) => message ?? '' },
      ],
      { empty: 'No enabled channels.' },
    )
    if (results.some(({ ok }) => !ok)) failed()
  },
})

const remove = command({
  name: 'delete',
  summary: 'Delete a channel',
  arguments: { id: { spec: '<id>', help: 'id of the channel' } },
  options: { yes: { flag: '--yes', help: 'do not ask' } },
  async run({ client, print, ask, args, options }) {
    const id = idOf(args.id)
    const sure = needSure(ask, options.yes)
    const weir = await client()
    const { name } = await weir.channels.get({ id })
    await sure(`Delete channel ${id} "${name}"?`)
    await weir.channels.delete({ id })
    await print.result({ deleted: id }, { human: `Deleted channel ${id} "${name}".`, bare: String(id) })
  },
})

export const channels = group({
  name: 'channels',
  summary: 'Configured upstreams',
  commands: [list, types, add, edit, test, remove],
})
