// `weir channels keys add`, `rm`, `enable` and `disable`.
import type { Channel } from '../../../../core/channels/channel.ts'
import type { CHANNEL_KEY_ACTIONS, ShownKey } from '../../../../core/channels/keys-contract.ts'
import type { WeirClient } from '../../../../core/contracts.ts'
import { fillTemplate } from '../../../../core/errors.ts'
import { command, type Command } from '../../../command.ts'
import { requireConfirmation } from '../../../input/confirm.ts'
import { requireFlags, valueOrInput } from '../../../input/flags.ts'
import { oneChannelArgument } from '../change.ts'
import { findRequiredChannel } from '../../../nouns/channel.ts'
import type { ResultPrinter } from '../../../output/output.ts'
import { buildKeyRows, channelKeyView, findKeyFingerprints } from './look.ts'
import { words } from '../../../texts.ts'

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

export const addCommand = command({
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
    const given = await valueOrInput(options.key, readInput)
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

export const keySwitchCommands = Object.entries(SWITCHES).map(([action, { summary, done }]): Command =>
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

export const removeCommand = command({
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
