// `weir channels keys`: the keys of a channel by their fingerprints, and what may be done with each.
import { words } from '../../../core/errors.ts'
import { command } from '../../command.ts'
import { needChannel } from '../../nouns/channel.ts'
import { STATES, stateTone } from '../../nouns/states.data.ts'
import { count, text, time, word, type View } from '../../view.ts'
import { oneChannel } from './chosen.ts'

interface ShownKey {
  fingerprint: string
  on: boolean
  reason: string
  since: number
  answered: number
  failed: number
  cooling: number
}

const stateOf = ({ on }: ShownKey) => (on ? 'enabled' : 'disabled')

const keyView: View<ShownKey> = {
  fingerprint: text(words('KEY', '密钥'), 1, (key) => key.fingerprint, {
    shown: ({ fingerprint }, { language }) => (fingerprint === '' ? ONLY[language] : undefined),
    tone: () => 'strong',
  }),
  status: word(words('STATUS', '状态'), 1, STATES, stateOf, { tone: (key) => stateTone(stateOf(key)) }),
  answered_24h: count(words('ANSWERED IN 24 H', '24 小时成功'), 3, ({ answered }) => answered),
  failed_24h: count(words('FAILED IN 24 H', '24 小时失败'), 3, ({ failed }) => failed, {
    tone: ({ failed }) => (failed > 0 ? 'bad' : 'plain'),
  }),
  cooling_until: time(words('COOLING UNTIL', '冷却至'), 4, ({ cooling }) => cooling),
  since: time(words('OFF SINCE', '禁用时间'), 4, ({ since }) => since),
  reason: text(words('WHY OFF', '禁用原因'), 2, ({ reason }) => reason || null, { flexible: true }),
}

const ONLY = words('(the only one)', '（唯一）')

export const keys = command({
  name: 'keys',
  looks: true,
  gives: { view: keyView, many: true },
  summary: words(
    'The keys of a channel by their fingerprints: which are on, and how they did in the last 24 hours',
    '渠道密钥的指纹：哪些已启用，最近 24 小时的表现如何',
  ),
  details: words(
    'Keys are never shown. `weir channels edit CHANNEL --key-on KEY` switches one on again.',
    '密钥本身从不显示。`weir channels edit 渠道 --key-on 指纹` 可重新启用其中一个。',
  ),
  arguments: { channel: oneChannel },
  async run({ client, print, args }) {
    const weir = await client()
    const { id } = await needChannel(weir, args.channel)
    const { channels } = await weir.channels.health({ id, hours: 24 })
    const [health] = channels
    const cells = (of: NonNullable<typeof health>['cells'], what: 'answered' | 'failed') =>
      of.reduce((sum, cell) => sum + (cell?.[what] ?? 0), 0)
    const coolingOf = (fingerprint: string) =>
      Math.max(
        0,
        ...(health?.circuits ?? []).filter((circuit) => circuit.fingerprint === fingerprint).map(({ until }) => until),
      )
    const several = health?.keys ?? []
    const only = { fingerprint: '', on: true, reason: '', since: 0, cells: health?.cells ?? [] }
    const rows = (several.length > 0 ? several : [only]).map(({ cells: hours, ...key }): ShownKey => ({
      ...key,
      answered: cells(hours, 'answered'),
      failed: cells(hours, 'failed'),
      cooling: coolingOf(key.fingerprint),
    }))
    await print.list(rows, keyView, { empty: words('No keys.', '没有密钥。') })
  },
})
