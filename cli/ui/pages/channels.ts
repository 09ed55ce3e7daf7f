// Channels with how they did in the last day, what they are left alone for, and their keys.
import { CHANNEL_STATUS, namesIn, type Channel } from '../../../core/channels/channel.ts'
import type { ChannelHealth, HealthCell } from '../../../core/channels/health-contract.ts'
import { words } from '../../../core/errors.ts'
import { editQuestions } from '../../channel-form.ts'
import { timeText } from '../../format.ts'
import { STATES, stateTone, wordOf } from '../../nouns/states.data.ts'
import { everyRow } from '../../paging.ts'
import { count, list, ms, text, time, word, type View } from '../../view.ts'
import { matches, uiPage, type Opened } from '../page.ts'

const HOURS = 24
const MOST = 100

interface Row {
  channel: Channel
  health?: ChannelHealth
}

const stateOf = ({ channel }: Row) => wordOf(CHANNEL_STATUS, channel.status)
const sumOf = ({ health }: Row, of: (cell: HealthCell) => number) =>
  (health?.cells ?? []).reduce((sum, cell) => sum + (cell ? of(cell) : 0), 0)
const lastTimed = ({ health }: Row) => health?.cells.findLast((cell) => cell?.p95_ms != null)?.p95_ms

const view: View<Row> = {
  id: count(words('ID', '编号'), 1, ({ channel }) => channel.id),
  name: text(words('NAME', '名称'), 1, ({ channel }) => channel.name, { flexible: true, tone: () => 'strong' }),
  status: word(words('STATUS', '状态'), 1, STATES, stateOf, { tone: (row) => stateTone(stateOf(row)) }),
  health: text(words('LAST 24 HOURS', '近 24 小时'), 2, ({ health }) => strip(health?.cells ?? []), {
    tone: healthTone,
  }),
  failed: count(words('FAILED', '失败'), 2, (row) => sumOf(row, ({ failed }) => failed) || null),
  p95: ms(words('P95', 'P95'), 3, lastTimed),
  circuits: count(words('CIRCUITS', '熔断'), 3, ({ health }) => health?.circuits.length || null),
  groups: text(words('GROUPS', '分组'), 5, ({ channel }) => channel.group, { flexible: true }),
  priority: count(words('PRIORITY', '优先级'), 4, ({ channel }) => channel.priority),
  weight: count(words('WEIGHT', '权重'), 5, ({ channel }) => channel.weight),
  models: list(words('MODELS', '模型'), 4, ({ channel }) => namesIn(channel.models), { flexible: true }),
  why: text(words('WHY', '原因'), 0, ({ health }) => health?.reason),
  last_error: text(words('LAST ERROR', '最近错误'), 0, ({ health }) => health?.last_error?.error),
  tested: time(words('TESTED', '测试时间'), 0, ({ channel }) => channel.test_time),
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
    const [found, { channels: known }] = await Promise.all([
      everyRow((cursor) => client.channels.list({ cursor, page_size: MOST })),
      client.channels.health({ hours: HOURS }),
    ])
    const health = new Map(known.map((one) => [one.id, one]))
    const rows = found
      .filter((one) => matches(filter, one.id, one.name, one.group, one.models, one.tag))
      .map((channel) => ({ channel, health: health.get(channel.id) }))
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
