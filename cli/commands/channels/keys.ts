// `weir channels keys …`: the keys of a channel with fingerprint, visible ends and health; enabled, disabled, cleaned up.
import type { Channel } from '../../../core/channels/channel.ts'
import type { CHANNEL_KEY_ACTIONS, ShownKey } from '../../../core/channels/keys-contract.ts'
import type { WeirClient } from '../../../core/contracts.ts'
import { fillTemplate } from '../../../core/errors.ts'
import { command, type Command, group, LIST_COMMAND } from '../../command.ts'
import { requireConfirmation } from '../../input/confirm.ts'
import { requireFlags, readValueOrInput } from '../../input/flags.ts'
import { oneChannelArgument } from './change.ts'
import { findRequiredChannel } from '../../nouns/channel.ts'
import type { ResultPrinter } from '../../output/output.ts'
import { words } from '../../texts.ts'
import { GatewayRefusal } from '../../failure.ts'
import { STATES, stateTone } from '../../nouns/states.data.ts'
import { count, text, time, word, type OutputView } from '../../output/view.ts'

/** A key with its health in the last 24 hours. */
type KeyRow = ShownKey & { answered: number; failed: number; cooling: number }

const toKeyState = ({ on }: ShownKey) => (on ? 'enabled' : 'disabled')

const channelKeyView: OutputView<KeyRow> = {
  fingerprint: text(words('KEY', { context: 'secret' }), 1, (key) => key.fingerprint, {
    shown: ({ fingerprint }, { language }) => (fingerprint === '' ? ONLY[language] : undefined),
    tone: () => 'strong',
  }),
  place: count(words('PLACE'), 1, ({ place }) => place),
  ends: text(words('ENDS'), 2, ({ key }) => key),
  status: word(words('STATUS'), 1, STATES, toKeyState, { tone: (key) => stateTone(toKeyState(key)) }),
  answered_24h: count(words('ANSWERED IN 24 H'), 3, ({ answered }) => answered),
  failed_24h: count(words('FAILED IN 24 H'), 3, ({ failed }) => failed, {
    tone: ({ failed }) => (failed > 0 ? 'bad' : 'plain'),
  }),
  cooling_until: time(words('COOLING UNTIL'), 4, ({ cooling }) => cooling),
  since: time(words('OFF SINCE'), 4, ({ since }) => since),
  reason: text(words('WHY OFF'), 5, ({ reason }) => reason || null, { flexible: true, below: true }),
}

const ONLY = words('(the only one)')

/** Adds the health to the keys. */
async function buildKeyRows(weir: WeirClient, id: number, keys: readonly ShownKey[]): Promise<KeyRow[]> {
  const { channels } = await weir.channels.health({ id, hours: 24 })
  const [health] = channels
  const sum = (fingerprint: string, what: 'answered' | 'failed') => {
    const own = fingerprint === '' ? health : health?.keys.find((key) => key.fingerprint === fingerprint)
    return (own?.cells ?? []).reduce((total, cell) => total + (cell?.[what] ?? 0), 0)
  }
  const circuits = health?.circuits ?? []
  return keys.map((key) => ({
    ...key,
    answered: sum(key.fingerprint, 'answered'),
    failed: sum(key.fingerprint, 'failed'),
    cooling: Math.max(0, ...circuits.flatMap((one) => (one.fingerprint === key.fingerprint ? [one.until] : []))),
  }))
}

/**
 * Returns the fingerprints of keys named by position, ends or fingerprint.
 * @throws Refusal for a key that does not exist
 */
export function findKeyFingerprints(keys: readonly ShownKey[], names: readonly string[]): string[] {
  return names.map((name) => {
    const found = [
      keys.filter(({ place }) => String(place) === name),
      keys.filter(({ fingerprint }) => fingerprint === name),
      keys.filter(({ key }) => key === name),
    ].find((same) => same.length > 0)
    if (found?.length === 1) return found[0]!.fingerprint
    throw new GatewayRefusal(
      found
        ? fillTemplate(words('Several keys look like "{name}": name one by its place.'), { name })
        : fillTemplate(words('The channel has no key "{name}": see `weir channels keys CHANNEL`.'), { name }),
      'channel.key_unknown',
    )
  })
}

const listCommand = command({
  endpoint: 'channels.get',
  ...LIST_COMMAND,
  output: { view: channelKeyView, many: true },
  summary: words(
    'List the keys of a channel by their ends and fingerprints: which are on, and how they did in the last 24 hours',
  ),
  arguments: { channel: oneChannelArgument },
  async run({ client, print, args }) {
    const weir = await client()
    const { id } = await findRequiredChannel(weir, args.channel)
    const keys = await weir.channels.keys({ id })
    await print.list(await buildKeyRows(weir, id, keys), channelKeyView, { empty: words('No keys.') })
  },
})

const someKeys = {
  spec: '<keys...>',
  help: words('places, ends or fingerprints: see `weir channels keys CHANNEL`'),
} as const

/** Prints a sentence for people, and for programs the keys that the channel has now. */
async function printResult(
  { weir, print }: { weir: WeirClient; print: ResultPrinter },
  { id, name }: Channel,
  { data, changed }: { data: ShownKey[]; changed: number },
  done: { en: string; zh: string },
): Promise<void> {
  if (print.form !== 'human') return print.list(await buildKeyRows(weir, id, data), channelKeyView)
  const on = data.filter(({ on }) => on).length
  print.say(fillTemplate(done, { changed, channel: `${id} "${name}"` }))
  print.say(fillTemplate(NOW, { count: data.length, on }))
}

const NOW = words('Keys that are on: {on} of {count}.')
const ADDED = words('Keys added to channel {channel}: {changed}.')

const addCommand = command({
  endpoint: 'channels.addKeys',
  name: 'add',
  output: { view: channelKeyView, many: true },
  summary: words('Add keys to a channel; on a terminal without --key it asks'),
  details: words(
    'Several at once, one a line: weir channels keys add main --key - < keys.txt. A channel with one key then has several, which are used in turn.',
  ),
  arguments: { channel: oneChannelArgument },
  options: {
    key: {
      flag: '--key <key>',
      help: words('the key, or - for one a line on standard input'),
    },
  },
  async run({ client, print, ask, args, options, readInput }) {
    if (options.key === undefined && !ask.possible) requireFlags({ '--key': undefined })
    const given = await readValueOrInput(options.key, readInput)
    const weir = await client()
    const channel = await findRequiredChannel(weir, args.channel)
    const key = given ?? (await ask.form(TITLE, [{ name: 'key', label: words('Key'), kind: 'secret' }], '--key')).key
    await printResult({ weir, print }, channel, await weir.channels.addKeys({ id: channel.id, key: key ?? '' }), ADDED)
  },
})

const TITLE = words('New key')

/** Changes the named keys of a channel. */
async function manage(
  weir: WeirClient,
  channel: Channel,
  names: readonly string[],
  action: (typeof CHANNEL_KEY_ACTIONS)[number],
  sure?: (keys: ShownKey[]) => Promise<void>,
) {
  const keys = await weir.channels.keys({ id: channel.id })
  const prints = findKeyFingerprints(keys, names)
  await sure?.(keys.filter(({ fingerprint }) => prints.includes(fingerprint)))
  return weir.channels.manageKeys({ id: channel.id, keys: prints, action })
}

const SWITCHES = {
  enable: {
    summary: words('Switch keys of a channel on'),
    done: words('Keys of channel {channel} switched on: {changed}.'),
  },
  disable: {
    summary: words('Switch keys of a channel off, until somebody switches them on'),
    done: words('Keys of channel {channel} switched off: {changed}.'),
  },
} as const

const keySwitchCommands = Object.entries(SWITCHES).map(([action, { summary, done }]): Command =>
  command({
    endpoint: 'channels.manageKeys',
    name: action,
    output: { view: channelKeyView, many: true },
    summary,
    arguments: { channel: oneChannelArgument, keys: someKeys },
    async run({ client, print, args }) {
      const weir = await client()
      const channel = await findRequiredChannel(weir, args.channel)
      await printResult(
        { weir, print },
        channel,
        await manage(weir, channel, args.keys, action as keyof typeof SWITCHES),
        done,
      )
    },
  }),
)

const removeCommand = command({
  endpoint: 'channels.manageKeys',
  name: 'rm',
  aliases: ['delete'],
  output: { view: channelKeyView, many: true },
  summary: words('Remove keys from a channel; the others stay as they are'),
  arguments: { channel: oneChannelArgument, keys: someKeys },
  options: { yes: { flag: '--yes', help: words('do not ask') } },
  async run({ client, print, ask, args, options }) {
    const sure = requireConfirmation(ask, options.yes)
    const weir = await client()
    const channel = await findRequiredChannel(weir, args.channel)
    const done = await manage(weir, channel, args.keys, 'remove', (keys) =>
      sure(
        fillTemplate(REMOVE, {
          keys: keys.map(({ place, key }) => `${place} (${key})`).join(', '),
          channel: `${channel.id} "${channel.name}"`,
        }),
      ),
    )
    await printResult({ weir, print }, channel, done, REMOVED)
  },
})

const REMOVE = words('Remove key {keys} from channel {channel}?')
const REMOVED = words('Keys removed from channel {channel}: {changed}.')

export const keysCommand = group({
  name: 'keys',
  summary: words('Keys of a channel, which are never shown whole'),
  commands: [listCommand, addCommand, ...keySwitchCommands, removeCommand],
})
