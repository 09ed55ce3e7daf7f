// `weir route …`: the reasons for the routing of a call.
import { words } from '../../core/errors.ts'
import { command, group, type CommandEnvironment } from '../command.ts'
import { UsageError } from '../failure.ts'
import { wholeNumber } from '../flags.ts'
import { routeChannelView, routeView, simulateRoute, simulatedView, type RouteExplained } from '../nouns/route.ts'

const askedOptions = {
  model: { flag: '--model <name>', help: words('the model asked for', '所请求的模型') },
  group: {
    flag: '--group <name>',
    help: words(
      "group of the caller (otherwise the token's, or default)",
      '调用者的分组（默认为令牌的分组，或 default）',
    ),
  },
  token: {
    flag: '--token <id>',
    help: words('id of a token: its group and its fallback models count', '令牌编号：采用其分组与后备模型'),
  },
  promptTokens: {
    flag: '--prompt-tokens <number>',
    help: words('size of the prompt (otherwise one that all channels take)', '提示的大小（默认所有渠道均可接受）'),
  },
  without: {
    flag: '--without <ids>',
    help: words(
      'what if these channels were off: their ids, separated by commas',
      '假设这些渠道停用：其编号，以逗号分隔',
    ),
  },
} as const

type RouteFlags = Partial<Record<keyof typeof askedOptions, string>>

/** @throws UsageError if no model is named */
async function explainRoute(context: Pick<CommandEnvironment, 'client'>, flags: RouteFlags): Promise<RouteExplained> {
  const { model, group: inGroup, token, promptTokens, without } = flags
  if (!model)
    throw new UsageError(
      words('--model must be given: the name that callers ask for.', '必须给出 --model：调用者所请求的名称。'),
    )
  const numbers = {
    token_id: token === undefined ? undefined : wholeNumber('--token', token),
    prompt_tokens: promptTokens === undefined ? undefined : wholeNumber('--prompt-tokens', promptTokens),
    without,
  }
  return (await context.client()).channels.route({ model, group: inGroup, ...numbers })
}

const formatEmpty = ({ model, group: inGroup }: RouteExplained) =>
  words(`No channel serves ${model} to the group ${inGroup}.`, `没有渠道向分组 ${inGroup} 提供 ${model}。`)

const explain = command({
  name: 'explain',
  readOnly: true,
  output: { view: routeView, many: false },
  summary: words(
    'Show which channels a call of a model may go to, with what chance, and why not to others',
    '查看一个模型的调用会去哪些渠道、概率多少，以及为何不去其他渠道',
  ),
  failsWhen: words(
    'nothing serves the model: no channel may be tried, and none of a fallback',
    '没有任何渠道提供该模型，后备模型亦然',
  ),
  options: askedOptions,
  async run(context) {
    const { print, failed } = context
    const found = await explainRoute(context, context.options)
    const { attempts, channels, fallbacks, group: inGroup } = found
    if (!channels.some(({ serves }) => serves) && !fallbacks.some(({ channels: count }) => count > 0)) failed()
    if (print.json) return print.one(found, routeView, { bare: '' })
    await print.list(channels, routeChannelView, { empty: formatEmpty(found) })
    if (channels.length === 0 && fallbacks.length === 0) return
    print.say()
    print.say(
      words(
        `A failing call tries ${attempts} ${attempts === 1 ? 'channel' : 'channels'} of the group ${inGroup}.`,
        `失败的调用会在分组 ${inGroup} 中尝试 ${attempts} 个渠道。`,
      ),
    )
    if (fallbacks.length === 0) return
    const names = (enabled: (count: number) => string) =>
      fallbacks.map(({ model, channels: count }) => `${model} (${enabled(count)})`)
    print.say(
      words(
        `Then it falls back on ${names((count) => `${count} enabled`).join(', ')}.`,
        `然后改用后备模型 ${names((count) => `${count} 个启用`).join('、')}。`,
      ),
    )
  },
})

const DEFAULT_CALLS = 1000

const simulate = command({
  name: 'simulate',
  readOnly: true,
  output: { view: simulatedView, many: true },
  summary: words(
    'Show how so many calls of a model would spread over the channels, as they stand now',
    '按渠道当前状态，查看一批调用会如何分布',
  ),
  failsWhen: words('nothing serves the model', '没有任何渠道提供该模型'),
  options: {
    ...askedOptions,
    calls: {
      flag: '--calls <number>',
      help: words(`how many (otherwise ${DEFAULT_CALLS})`, `调用次数（默认 ${DEFAULT_CALLS}）`),
    },
  },
  async run(context) {
    const { print, failed, options } = context
    const calls = wholeNumber('--calls', options.calls ?? String(DEFAULT_CALLS))
    const found = await explainRoute(context, options)
    if (!found.channels.some(({ serves }) => serves)) failed()
    const rows = simulateRoute(found.channels, calls)
    await print.list(rows, simulatedView, { empty: formatEmpty(found) })
  },
})

export const route = group({
  name: 'route',
  summary: words('The route of calls', '调用的去向'),
  commands: [explain, simulate],
})
