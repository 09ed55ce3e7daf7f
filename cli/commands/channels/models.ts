// `weir channels models`: what a channel serves, and what its provider offers.
import { jsonObject, parseNameList, type Channel } from '../../../core/channels/channel.ts'
import { words } from '../../../core/errors.ts'
import { command } from '../../command.ts'
import { needChannel } from '../../nouns/channel.ts'
import { flag, text, type View } from '../../view.ts'
import { oneChannel } from './chosen.ts'

interface Served {
  model: string
  served: boolean
  upstream: string | null
  offered: boolean | null
}

const modelView: View<Served> = {
  model: text(words('MODEL', '模型'), 1, ({ model }) => model, { flexible: true, tone: () => 'strong' }),
  served: flag(words('SERVED', '已提供'), 1, ({ served }) => served, {
    tone: ({ served }) => (served ? 'good' : 'plain'),
  }),
  upstream: text(words('AS', '映射为'), 2, ({ upstream }) => upstream, { flexible: true }),
  offered: flag(words('OFFERED', '服务商列出'), 2, ({ offered }) => offered, {
    tone: ({ offered }) => (offered === false ? 'bad' : 'plain'),
  }),
}

const listed = (text: string | undefined) => parseNameList(text ?? '')

export const models = command({
  name: 'models',
  gives: { view: modelView, many: true },
  summary: words(
    'The models of a channel; with --provider beside what its provider lists',
    '渠道的模型；加 --provider 时与服务商列出的模型对照',
  ),
  arguments: { channel: oneChannel },
  options: {
    provider: { flag: '--provider', help: words('ask the provider what it lists', '向服务商查询其模型列表') },
    add: { flag: '--add <list>', help: words('serve these too, separated by commas', '同时提供这些模型，用逗号分隔') },
    remove: { flag: '--remove <list>', help: words('serve these no longer', '不再提供这些模型') },
  },
  async run({ client, print, ask, args, options }) {
    const weir = await client()
    let channel: Channel = await needChannel(weir, args.channel)
    if (options.add !== undefined || options.remove !== undefined) {
      const gone = new Set(listed(options.remove))
      const kept = [...new Set([...parseNameList(channel.models), ...listed(options.add)])].filter(
        (name) => !gone.has(name),
      )
      channel = await weir.channels.update({ id: channel.id, models: kept.join(',') })
    }
    const asked = options.provider
      ? await ask.during(
          words('Asking the provider…', '正在查询服务商…'),
          weir.channels.fetchModels({ id: channel.id }),
        )
      : null
    const served = parseNameList(channel.models)
    const mapping = jsonObject(channel.model_mapping)
    const upstreamOf = (model: string) => (typeof mapping[model] === 'string' ? (mapping[model] as string) : null)
    const rows = [...new Set([...served, ...(asked ?? [])])].map((model): Served => ({
      model,
      served: served.includes(model),
      upstream: upstreamOf(model),
      offered: asked && asked.includes(upstreamOf(model) ?? model),
    }))
    await print.list(rows, modelView, { empty: words('No models.', '没有模型。') })
  },
})
