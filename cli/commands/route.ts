// `weir route …`: the reasons for the routing of a call.
import type { WeirClient } from '../../core/contracts.ts'
import { fillTemplate, joinList, type Words } from '../../core/errors.ts'
import { command, group, type CommandEnvironment } from '../command.ts'
import { UsageError } from '../failure.ts'
import { parseWholeNumber } from '../input/flags.ts'
import { findChannelId } from '../nouns/channel.ts'
import { suggestModels } from '../nouns/names.ts'
import { findTokenId } from '../nouns/token.ts'
import type { RouteExplanation } from '../nouns/route.ts'
import { routeChannelView, routeView, simulateRoute, simulatedChannelView } from '../nouns/route.ts'
import { words } from '../texts.ts'

const askedOptions = {
  model: { flag: '--model <name>', help: words('the model asked for') },
  group: {
    flag: '--group <name>',
    help: words("group of the caller (default: the token's, or default)"),
  },
  token: {
    flag: '--token <token>',
    help: words('a token, by id, or of your own by name: its group and its fallback models count'),
  },
  promptTokens: {
    flag: '--prompt-tokens <number>',
    help: words('size of the prompt (default: one that all channels take)'),
  },
  without: {
    flag: '--without <channels>',
    help: words('what if these channels were off: their ids or names, separated by commas'),
  },
} as const

type RouteFlags = Partial<Record<keyof typeof askedOptions, string>>

const findListedChannel = async (weir: WeirClient, name: string): Promise<string> =>
  name === '' ? '' : String(await findChannelId(weir, name))

/** @throws UsageError if no model is named */
async function explainRoute(context: Pick<CommandEnvironment, 'client'>, flags: RouteFlags): Promise<RouteExplanation> {
  const { model, group: inGroup, token, promptTokens, without } = flags
  if (!model) throw new UsageError(words('--model must be given: the name that callers ask for.'))
  const numbers = {
    prompt_tokens: promptTokens === undefined ? undefined : parseWholeNumber('--prompt-tokens', promptTokens),
  }
  const weir = await context.client()
  const ids = await Promise.all((without ?? '').split(',').map((name) => findListedChannel(weir, name.trim())))
  return weir.channels.route({
    model,
    group: inGroup,
    ...numbers,
    token_id: token === undefined ? undefined : await findTokenId(weir, token),
    without: without === undefined ? undefined : ids.join(','),
  })
}

async function formatEmpty(weir: WeirClient, { model, group: inGroup, channels }: RouteExplanation): Promise<Words> {
  const problem = fillTemplate(words('No channel serves {model} to the group {inGroup}.'), { model, inGroup })
  return channels.length === 0 ? suggestModels(weir, problem, model) : problem
}

const explain = command({
  endpoint: 'channels.route',
  name: 'explain',
  readOnly: true,
  output: { view: routeView, many: false },
  summary: words('Show which channels a call of a model may go to, with what chance, and why not to others'),
  failsWhen: words('nothing serves the model: no channel may be tried, and none of a fallback'),
  options: askedOptions,
  async run(context) {
    const { print, failed } = context
    const found = await explainRoute(context, context.options)
    const { channels, fallbacks } = found
    if (!channels.some(({ serves }) => serves) && !fallbacks.some(({ channels: count }) => count > 0)) failed()
    if (print.json) return print.one(found, routeView, { quietOutput: '' })
    await printRoute(context, found)
  },
})

/** Prints the channels of a route, and for people the number of attempts and the fallback models. */
export async function printRoute(
  { client, print }: Pick<CommandEnvironment, 'client' | 'print'>,
  found: RouteExplanation,
): Promise<void> {
  const { attempts, channels, fallbacks, group: inGroup } = found
  await print.list(channels, routeChannelView, { empty: await formatEmpty(await client(), found) })
  if (channels.length === 0 && fallbacks.length === 0) return
  print.say()
  print.say(fillTemplate(attempts === 1 ? TRIES_ONE : TRIES_SEVERAL, { attempts, group: inGroup }))
  if (fallbacks.length === 0) return
  const models = fallbacks.map(({ model, channels: n }) => fillTemplate(words('{model} ({n} enabled)'), { model, n }))
  print.say(fillTemplate(words('Then it falls back on {models}.'), { models: joinList(models) }))
}

const TRIES_ONE = words('A failing call tries {attempts} channel of the group {group}.')
const TRIES_SEVERAL = words('A failing call tries {attempts} channels of the group {group}.')

const DEFAULT_CALLS = 1000

const simulate = command({
  endpoint: 'channels.route',
  name: 'simulate',
  readOnly: true,
  output: { view: simulatedChannelView, many: true },
  summary: words('Show how so many calls of a model would spread over the channels, as they stand now'),
  failsWhen: words('nothing serves the model'),
  options: {
    ...askedOptions,
    calls: {
      flag: '--calls <number>',
      help: fillTemplate(words('how many (default: {defaultCalls})'), { defaultCalls: DEFAULT_CALLS }),
    },
  },
  async run(context) {
    const { print, failed, options } = context
    const calls = parseWholeNumber('--calls', options.calls ?? String(DEFAULT_CALLS))
    const found = await explainRoute(context, options)
    if (!found.channels.some(({ serves }) => serves)) failed()
    const rows = simulateRoute(found.channels, calls)
    await print.list(rows, simulatedChannelView, { empty: await formatEmpty(await context.client(), found) })
  },
})

export const routeCommand = group({
  name: 'route',
  summary: words('How calls are routed'),
  commands: [explain, simulate],
})
