// `weir channels ls`, `show` and `types`.
import { type Channel, CHANNEL_STATUS, parseNamedTexts, parseNameList } from '../../../core/channels/channel.ts'
import { compareChannelModels, followMapping } from '../../../core/channels/model-mapping.ts'
import { translateStoredFailure } from '../../../core/logs/stored-failures.ts'
import { type ChannelType, findChannelType } from '../../input/channel-form.ts'
import { command, LIST_COMMAND } from '../../command.ts'
import { UsageError } from '../../failure.ts'
import { readValueOrInput } from '../../input/flags.ts'
import type { ChannelRow } from '../../nouns/channel.ts'
import { buildTestFields, channelRowView, findRequiredChannel, addTypeNames } from '../../nouns/channel.ts'
import type { PageQuery } from '../../output/paging.ts'
import { parseRequestedRows, buildPageOptions, createPageReader, printRequestedRows } from '../../output/paging.ts'
import { words } from '../../texts.ts'
import { count, flag, list as names, object, text, type OutputView } from '../../output/view.ts'
import { oneChannelArgument } from './change.ts'

const DEFAULT_LIMIT = 100
const STATUSES = Object.keys(CHANNEL_STATUS)

export const listCommand = command({
  endpoint: 'channels.list',
  ...LIST_COMMAND,
  output: { view: channelRowView, many: true },
  summary: words('List channels by priority'),
  options: {
    search: {
      flag: '--search <text>',
      help: words('id, part of the name, or a whole key'),
    },
    status: {
      flag: '--status <status>',
      help: words('only channels of this status'),
      choices: STATUSES,
    },
    type: {
      flag: '--type <type>',
      help: words('only channels of this type: its id, name or number'),
    },
    tag: { flag: '--tag <tag>', help: words('only channels of this tag') },
    group: { flag: '--group <name>', help: words('only channels of this group') },
    model: { flag: '--model <name>', help: words('only channels that serve this model') },
    ...buildPageOptions(DEFAULT_LIMIT),
  },
  async run({ client, print, options: { search, status, type, tag, group, model, ...paging } }) {
    const range = parseRequestedRows(paging, print, DEFAULT_LIMIT)
    const weir = await client()
    const filter = {
      tag,
      group,
      model,
      ...(status === undefined ? {} : { status: CHANNEL_STATUS[status as keyof typeof CHANNEL_STATUS] }),
      ...(type === undefined ? {} : { type: findChannelType(await weir.channels.types(), type).type }),
    }
    const fetch =
      search === undefined
        ? async (query: PageQuery) => {
            const { data, ...page } = await weir.channels.list({ ...filter, ...query, p: query.p - 1 })
            return { ...page, items: data }
          }
        : createPageReader(await weir.channels.search({ ...filter, keyword: search }))
    const isNarrowed = [search, status, type, tag, group, model].some((one) => one !== undefined)
    await printRequestedRows(print, range, fetch, channelRowView, {
      build: (channels) => addTypeNames(weir, channels),
      empty: isNarrowed ? words('No matching channels.') : words('No channels yet: `weir channels add` makes one.'),
    })
  },
})

type Health = Awaited<ReturnType<Parameters<typeof findRequiredChannel>[0]['channels']['health']>>['channels'][number]
type Whole = ChannelRow & { health: Health | undefined }

const sumHealth = (health: Health | undefined, of: 'answered' | 'failed') =>
  (health?.cells ?? []).reduce((sum, cell) => sum + (cell?.[of] ?? 0), 0)

/** A channel with all fields, and its health in the last 24 hours. */
const wholeView: OutputView<Whole> = {
  ...channelRowView,
  answered_24h: count(words('ANSWERED IN 24 H'), 1, ({ health }) => sumHealth(health, 'answered')),
  failed_24h: count(words('FAILED IN 24 H'), 1, ({ health }) => sumHealth(health, 'failed'), {
    tone: ({ health }) => (sumHealth(health, 'failed') > 0 ? 'bad' : 'plain'),
  }),
  last_error: text(words('LAST ERROR'), 1, ({ health }) => health?.last_error?.error, {
    shown: ({ health }, { language }) => translateStoredFailure(health?.last_error?.error ?? '', language),
  }),
  ...buildTestFields(({ health }: Whole) => health?.last_test, 1),
  cooling_down: count(words('COOLING DOWN'), 1, ({ health }) => health?.circuits.length || null),
  circuits: object(words('CIRCUITS'), ({ health }) => health?.circuits ?? []),
}

export const showCommand = command({
  endpoint: 'channels.get',
  name: 'show',
  readOnly: true,
  output: { view: wholeView, many: false },
  summary: words('Show a channel and its last 24 hours'),
  arguments: { channel: oneChannelArgument },
  async run({ client, print, args }) {
    const weir = await client()
    const channel = await findRequiredChannel(weir, args.channel)
    const [row] = await addTypeNames(weir, [channel])
    const { channels } = await weir.channels.health({ id: channel.id, hours: 24 })
    await print.one({ ...row!, health: channels[0] }, wholeView, { quietOutput: String(channel.id) })
  },
})

const typeView: OutputView<ChannelType> = {
  id: text(words('ID', { context: 'name' }), 1, ({ id }) => id, { tone: () => 'strong' }),
  name: text(words('NAME'), 1, ({ name }) => name, { flexible: true }),
  number: count(words('NUMBER'), 0, ({ type }) => type),
  key_variable: text(words('KEY VARIABLE'), 2, ({ env }) => env),
  base_url: text(words('BASE URL'), 3, ({ base_url }) => base_url, { flexible: true }),
  needs_key: flag(words('NEEDS KEY'), 0, ({ needs_key }) => needs_key),
  instead: text(words('TAKE INSTEAD'), 0, ({ retired }) => retired),
  models: names(words('MODELS'), 4, ({ models }) => models, { flexible: true, tone: () => 'faint' }),
}

export const typesCommand = command({
  endpoint: 'channels.types',
  name: 'types',
  readOnly: true,
  output: { view: typeView, many: true },
  summary: words('List the types a channel can have'),
  async run({ client, print }) {
    await print.list(await (await client()).channels.types(), typeView, { empty: words('No types.') })
  },
})

// `weir channels models`: models that a channel serves, and models that its provider offers.

interface ServedModel {
  model: string
  served: boolean
  upstream: string | null
  offered: boolean | null
}

const modelView: OutputView<ServedModel> = {
  model: text(words('MODEL'), 1, ({ model }) => model, { flexible: true, tone: () => 'strong' }),
  served: flag(words('SERVED', { context: 'channel' }), 1, ({ served }) => served, {
    tone: ({ served }) => (served ? 'good' : 'plain'),
  }),
  upstream: text(words('AS'), 2, ({ upstream }) => upstream, { flexible: true }),
  offered: flag(words('OFFERED'), 2, ({ offered }) => offered, {
    tone: ({ offered }) => (offered === false ? 'bad' : 'plain'),
  }),
}

const ASKING = words('Asking the provider…')
const CHANNEL_OR_TYPE = words('Name a channel, or give --type: one of the two.')
const parseOptional = (text: string | undefined) => parseNameList(text ?? '')

export const modelsCommand = command({
  endpoint: 'channels.get',
  name: 'models',
  output: { view: modelView, many: true },
  summary: words('List the models of a channel; with --provider compared with the list of its provider'),
  details: words('Before a channel exists: weir channels models --type openai --key - prints what the provider lists.'),
  arguments: { channel: { spec: '[channel]', help: oneChannelArgument.help } },
  options: {
    provider: { flag: '--provider', help: words('ask the provider what it lists') },
    add: { flag: '--add <list>', help: words('serve these too, separated by commas') },
    remove: { flag: '--remove <list>', help: words('serve these no longer') },
    type: { flag: '--type <id>', help: words('without a channel: what a provider of this type lists') },
    key: { flag: '--key <key>', help: words('key for --type; - reads it from standard input') },
    baseUrl: { flag: '--base-url <url>', help: words('address for --type (default: that of the type)') },
  },
  async run({ client, print, ask, args, options, readInput }) {
    const { type, baseUrl: base_url = '' } = options
    if ((args.channel === undefined) === (type === undefined)) throw new UsageError(CHANNEL_OR_TYPE)
    const key = (await readValueOrInput(options.key, readInput))?.trim() ?? ''
    const weir = await client()
    if (type !== undefined) {
      const { type: number } = findChannelType(await weir.channels.types(), type)
      const models = await ask.during(ASKING, weir.channels.fetchModelsNew({ type: number, key, base_url }))
      const rows = models.map((model): ServedModel => ({ model, served: false, upstream: null, offered: true }))
      return print.list(rows, modelView, { empty: words('No models.') })
    }
    let channel: Channel = await findRequiredChannel(weir, args.channel ?? '')
    if (options.add !== undefined || options.remove !== undefined) {
      const gone = new Set(parseOptional(options.remove))
      const newModels = [...new Set([...parseNameList(channel.models), ...parseOptional(options.add)])].filter(
        (name) => !gone.has(name),
      )
      channel = await weir.channels.update({ id: channel.id, models: newModels.join(',') })
    }
    const fromProvider = options.provider
      ? await ask.during(ASKING, weir.channels.fetchModels({ id: channel.id }))
      : null
    const served = parseNameList(channel.models)
    const mapping = parseNamedTexts(channel.model_mapping)
    const compared = compareChannelModels(served, mapping, fromProvider ?? [])
    const gone = new Set(compared.gone)
    const rows = [...served, ...compared.new].map((model): ServedModel => ({
      model,
      served: served.includes(model),
      upstream: Object.hasOwn(mapping, model) ? followMapping(model, mapping).name : null,
      offered: fromProvider && !gone.has(model),
    }))
    await print.list(rows, modelView, { empty: words('No models.') })
  },
})
