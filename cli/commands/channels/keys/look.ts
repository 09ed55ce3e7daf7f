// `weir channels keys ls`: the keys of a channel with fingerprint, visible ends and health.
import type { ShownKey } from '../../../../core/channels/keys-contract.ts'
import type { WeirClient } from '../../../../core/contracts.ts'
import { fillTemplate } from '../../../../core/errors.ts'
import { command } from '../../../command.ts'
import { GatewayRefusal } from '../../../failure.ts'
import { findRequiredChannel } from '../../../nouns/channel.ts'
import { STATES, stateTone } from '../../../nouns/states.data.ts'
import { words } from '../../../texts.ts'
import { count, text, time, word, type OutputView } from '../../../output/view.ts'
import { oneChannelArgument } from '../change.ts'

/** A key with its health in the last 24 hours. */
type KeyRow = ShownKey & { answered: number; failed: number; cooling: number }

const toKeyState = ({ on }: ShownKey) => (on ? 'enabled' : 'disabled')

export const channelKeyView: OutputView<KeyRow> = {
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
export async function buildKeyRows(weir: WeirClient, id: number, keys: readonly ShownKey[]): Promise<KeyRow[]> {
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

export const listCommand = command({
  endpoint: 'channels.get',
  name: 'ls',
  aliases: ['list'],
  isDefault: true,
  readOnly: true,
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
