// Channels with how they did in the last day, what they are left alone for, and their keys.
import { CHANNEL_STATUS, type Channel } from '../../../core/channels/channel.ts'
import type { ChannelHealth, HealthCell } from '../../../core/channels/health-contract.ts'
import { words } from '../../../core/errors.ts'
import { editQuestions } from '../../channel-form.ts'
import { timeText } from '../../format.ts'
import { channelView, everyChannel, type ChannelRow } from '../../nouns/channel.ts'
import { STATES } from '../../nouns/states.data.ts'
import { count, ms, text, within, type View } from '../../view.ts'
import { matches, uiPage, type Opened } from '../page.ts'

const HOURS = 24

interface Row {
  channel: Channel
  /** Name of its type. */
  kind: string
  health?: ChannelHealth
}

const sumOf = ({ health }: Row, of: (cell: HealthCell) => number) =>
  (health?.cells ?? []).reduce((sum, cell) => sum + (cell ? of(cell) : 0), 0)
const lastTimed = ({ health }: Row) => health?.cells.findLast((cell) => cell?.p95_ms != null)?.p95_ms

const of = (name: keyof typeof channelView, rank?: number) =>
  within(channelView[name]!, ({ channel, kind }: Row): ChannelRow => ({ ...channel, kind }), rank)

const view: View<Row> = {
  id: of('id'),
  name: of('name'),
  status: of('status'),
  health: text(words('LAST 24 HOURS', '近 24 小时'), 2, ({ health }) => strip(health?.cells ?? []), {
    tone: healthTone,
  }),
  failed: count(words('FAILED', '失败'), 2, (row) => sumOf(row, ({ failed }) => failed) || null),
  p95: ms(words('P95', 'P95'), 3, lastTimed),
  circuits: count(words('CIRCUITS', '熔断'), 3, ({ health }) => health?.circuits.length || null),
  type: of('type', 5),
  priority: of('priority', 4),
  weight: of('weight', 5),
  groups: of('groups', 5),
  models: of('models', 4),
  why: text(words('WHY', '原因'), 0, ({ health }) => health?.reason),
  last_error: text(words('LAST ERROR', '最近错误'), 0, ({ health }) => health?.last_error?.error),
  tested: of('tested', 0),
}

/** A character an hour: how much went well. Readable without colours. */
function strip(cells: readonly (HealthCell | null)[]): string {
  return cells
    .map((cell) => {
      const tries = cell ? cell.answered + cell.failed : 0
      if (!cell || tries === 0) return '·'
      const well = cell.answered / tries
      return well === 1 ? '█' : well >= 0.9 ? '▆' : well >= 0.5 ? '▃' : cell.answered > 0 ? '▁' : '✗'
    })
    .join('')
}

function healthTone(row: Row) {
  const failed = sumOf(row, (cell) => cell.failed)
  const answered = sumOf(row, (cell) => cell.answered)
  return failed === 0 ? ('good' as const) : answered > failed * 9 ? ('careful' as const) : ('bad' as const)
}

export const channels = uiPage<Row>({
  name: 'channels',
  title: words('Channels', '渠道'),
  view,
  every_ms: 5000,
  async load({ client }, filter) {
    const [found, { channels: known }, types] = await Promise.all([
      everyChannel(client),
      client.channels.health({ hours: HOURS }),
      client.channels.types(),
    ])
    const kinds = new Map(types.map(({ type, id }) => [type, id]))
    const health = new Map(known.map((one) => [one.id, one]))
    const rows = found
      .filter((one) => matches(filter, one.id, one.name, one.group, one.models, one.tag))
      .map((channel) => ({
        channel,
        kind: kinds.get(channel.type) ?? String(channel.type),
        health: health.get(channel.id),
      }))
    return { rows, total: rows.length }
  },
  actions: [
    {
      key: 't',
      name: words('test', '测试'),
      sure: ({ channel: { name } }) => words(`Send a test call through “${name}”?`, `通过“${name}”发送测试请求？`),
      async run({ client }, { channel: { id, name } }) {
        const { time: took } = await client.channels.test({ id })
        return words(`“${name}” answered in ${took.toFixed(2)} s.`, `“${name}”在 ${took.toFixed(2)} 秒内应答。`)
      },
    },
    {
      key: 'd',
      name: words('disable/enable', '禁用/启用'),
      sure: ({ channel: { name, status } }) =>
        status === CHANNEL_STATUS.enabled
          ? words(`Disable “${name}”? No further call goes there.`, `禁用“${name}”？此后不再有请求发往该渠道。`)
          : words(`Enable “${name}”?`, `启用“${name}”？`),
      async run({ client }, { channel: { id, name, status } }) {
        const on = status !== CHANNEL_STATUS.enabled
        await client.channels.update({ id, status: on ? CHANNEL_STATUS.enabled : CHANNEL_STATUS.disabled })
        return on ? words(`“${name}” is on.`, `“${name}”已启用。`) : words(`“${name}” is off.`, `“${name}”已禁用。`)
      },
    },
    {
      key: 'e',
      name: words('edit', '编辑'),
      form: async ({ channel: { id } }, { client }) => editQuestions(await client.channels.get({ id })),
      sure: ({ channel: { name } }) => words(`Save the changes of “${name}”?`, `保存对“${name}”的更改？`),
      async run({ client }, { channel: { id } }, answers) {
        const fields = Object.fromEntries(
          Object.entries(answers).filter(([name, given]) => name !== 'key' || given !== ''),
        )
        const { name } = await client.channels.update({ ...fields, id })
        return words(`Changed “${name}”.`, `已更改“${name}”。`)
      },
    },
  ],
  copied: ({ channel: { name } }) => name,
  async opened({ client }, { channel: { id } }): Promise<Opened> {
    const [
      {
        channels: [health],
      },
      tests,
    ] = await Promise.all([client.channels.health({ id, hours: HOURS }), client.channels.tests({ id })])
    return [
      ...(health?.keys ?? []).map(({ fingerprint, on, reason, cells }): Opened[number] => [
        words(`key ${fingerprint}`, `密钥 ${fingerprint}`),
        `${strip(cells)} ${(on ? STATES.enabled : STATES.disabled).en} ${reason}`,
      ]),
      ...(health?.circuits ?? []).map(({ fingerprint, model, until }): Opened[number] => [
        words('left alone', '暂停使用'),
        `${[fingerprint, model].filter(Boolean).join(' ')} ${timeText(until)}`,
      ]),
      ...tests.map(({ tested_at, passed, ms: took, error, model, username }): Opened[number] => [
        words('test', '测试'),
        `${timeText(tested_at)} ${passed ? '✔' : '✗'} ${model} ${took} ms ${username} ${error}`.trim(),
      ]),
    ]
  },
})
