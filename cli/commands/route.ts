// `weir route …`: why a call goes where.
import { command, group } from '../command.ts'
import { UsageError } from '../failure.ts'
import { channelState, timeText } from '../format.ts'
import { wholeNumber } from '../input.ts'
import type { WeirClient } from '../../core/contracts.ts'
import type { Column } from '../table.ts'

type Explanation = Awaited<ReturnType<WeirClient['channels']['route']>>
type Row = Explanation['channels'][number]

const columns: Column<Row>[] = [
  { title: 'ID', rank: 1, value: ({ id }) => id, right: true },
  {
    title: 'NAME',
    rank: 1,
    flexible: true,
    value: ({ name }) => name,
    tone: ({ taken }) => (taken ? 'strong' : 'plain'),
  },
  { title: 'TIER', rank: 3, value: ({ tier }) => tier || '', right: true },
  { title: 'PRIORITY', rank: 2, value: ({ priority }) => priority, right: true },
  { title: 'WEIGHT', rank: 3, value: ({ weight }) => weight, right: true },
  {
    title: 'SHARE',
    rank: 1,
    value: ({ share }) => (share > 0 ? `${(share * 100).toFixed(1)}%` : ''),
    right: true,
    tone: () => 'good',
  },
  { title: 'MAX PROMPT', rank: 5, value: ({ max_input_tokens }) => max_input_tokens || '', right: true },
  { title: 'KEYS', rank: 4, value: keysText },
  {
    title: 'COOLING UNTIL',
    rank: 4,
    value: ({ keys }) => timeText(Math.max(0, ...keys.map((key) => key.cooldown_until))),
  },
  { title: 'CACHED', rank: 5, value: ({ affinity }) => affinity || '', right: true },
  {
    title: 'WHY',
    rank: 1,
    flexible: true,
    value: ({ status, why }) => (status === 1 ? why : `${channelState(status)}: ${why}`),
    tone: ({ taken, tier }) => (taken ? 'good' : tier > 0 ? 'plain' : 'bad'),
  },
]

/** How many of its keys are on; a channel of one key has nothing to tell. */
function keysText({ keys }: Row): string {
  return keys.length > 1 ? `${keys.filter(({ on }) => on).length} of ${keys.length} on` : ''
}

const explain = command({
  name: 'explain',
  summary: 'Show which channels a call of a model may go to, with what chance, and why not to others',
  failsWhen: 'nothing serves the model: no channel may be tried, and none of a fallback',
  options: {
    model: { flag: '--model <name>', help: 'the model asked for' },
    group: { flag: '--group <name>', help: "group of the caller (otherwise the token's, or default)" },
    token: { flag: '--token <id>', help: 'id of a token: its group and its fallback models count' },
    promptTokens: {
      flag: '--prompt-tokens <number>',
      help: 'size of the prompt (otherwise one that all channels take)',
    },
  },
  async run({ client, print, failed, options: { model, group: inGroup, token, promptTokens } }) {
    if (!model) throw new UsageError('--model must be given: the name that callers ask for.')
    const asked = {
      token_id: token === undefined ? undefined : wholeNumber('--token', token),
      prompt_tokens: promptTokens === undefined ? undefined : wholeNumber('--prompt-tokens', promptTokens),
    }
    const explained = await (await client()).channels.route({ model, group: inGroup, ...asked })
    await print.rows(explained.channels, columns, {
      empty: `No channel serves ${model} to the group ${explained.group}.`,
      json: explained,
    })
    const { attempts, channels, fallbacks } = explained
    if (!channels.some(({ serves }) => serves) && !fallbacks.some(({ channels: count }) => count > 0)) failed()
    if (channels.length === 0 && fallbacks.length === 0) return
    print.say()
    print.say(
      `A failing call tries ${attempts} ${attempts === 1 ? 'channel' : 'channels'} of the group ${explained.group}.`,
    )
    if (fallbacks.length > 0) {
      const names = fallbacks.map(({ model: name, channels }) => `${name} (${channels} enabled)`).join(', ')
      print.say(`Then it falls back on ${names}.`)
    }
  },
})

export const route = group({ name: 'route', summary: 'Where calls go', commands: [explain] })
