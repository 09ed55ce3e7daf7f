// Channels with their health in the last day, their cooldowns, and their keys.
import { translateStoredFailure } from '../../../core/logs/stored-failures.ts'
import { CHANNEL_STATUS, ChannelPatch, parseNameList, type Channel } from '../../../core/channels/channel.ts'
import type { ChannelHealth, HealthCell } from '../../../core/channels/health-contract.ts'
import { words, type Language } from '../../../core/errors.ts'
import { addQuestions, editQuestions } from '../../channel-form.ts'
import { buildQuestion } from '../../flags.ts'
import { timeText } from '../../format.ts'
import { asData } from '../../language.ts'
import { buildTestFields, channelView, everyChannel, type ChannelRow } from '../../nouns/channel.ts'
import { filledIn } from '../../nouns/questions.ts'
import { STATES } from '../../nouns/states.data.ts'
import type { Answers, Choice, Question } from '../../parts/form-state.ts'
import { count, ms, text, within, type View } from '../../view.ts'
import { editing, flags, givenOf, matches, uiPage, type Opened, type Ports, type UiAction } from '../page.ts'

const HOURS = 24

interface Row {
  channel: Channel
  /** Name of its type. */
  kind: string
  health?: ChannelHealth
}

const sumCells = ({ health }: Row, of: (cell: HealthCell) => number) =>
  (health?.cells ?? []).reduce((sum, cell) => sum + (cell ? of(cell) : 0), 0)
const lastTimed = ({ health }: Row) => health?.cells.findLast((cell) => cell?.p95_ms != null)?.p95_ms

const of = (name: keyof typeof channelView, rank?: number) =>
  within(channelView[name]!, ({ channel, kind }: Row): ChannelRow => ({ ...channel, kind }), rank)

const view: View<Row> = {
  id: of('id'),
  name: of('name'),
  status: of('status'),
  health: text(words('LAST 24 HOURS', '近 24 小时'), 2, ({ health }) => drawStrip(health?.cells ?? []), {
    tone: healthTone,
  }),
  failed: count(words('FAILED', '失败'), 2, (row) => sumCells(row, ({ failed }) => failed) || null),
  p95: ms(words('P95', 'P95'), 3, lastTimed),
  ...buildTestFields(({ health }: Row) => health?.last_test, 4),
  circuits: count(words('CIRCUITS', '熔断'), 3, ({ health }) => health?.circuits.length || null),
  type: of('type', 5),
  tag: of('tag', 5),
  priority: of('priority', 4),
  weight: of('weight', 5),
  groups: of('groups', 5),
  models: of('models', 4),
  used: of('used_quota', 0),
  balance: of('balance', 0),
  base_url: of('base_url', 0),
  why: text(words('WHY', '原因'), 0, ({ health }) => health?.reason),
  last_error: text(words('LAST ERROR', '最近错误'), 0, ({ health }) => health?.last_error?.error, {
    shown: ({ health }, { language }) => translateStoredFailure(health?.last_error?.error ?? '', language),
  }),
  tested: of('tested', 0),
}

/** Draws one character an hour for the success rate, readable without colours. */
function drawStrip(cells: readonly (HealthCell | null)[]): string {
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
  const failed = sumCells(row, (cell) => cell.failed)
  const answered = sumCells(row, (cell) => cell.answered)
  return failed === 0 ? ('good' as const) : answered > failed * 9 ? ('careful' as const) : ('bad' as const)
}

const getId = ({ channel }: Row) => String(channel.id)
const isOn = ({ channel }: Row) => channel.status === CHANNEL_STATUS.enabled

const listKeys = async ({ channel: { id } }: Row, { client }: Ports): Promise<Choice[]> =>
  (await client.channels.keys({ id })).map(({ place, key, on, reason }) => ({
    value: `${on ? 'disable' : 'enable'} ${place}`,
    label: asData(`${place} ${key}`),
    hint: words(
      [STATES[on ? 'enabled' : 'disabled'].en, reason].filter(Boolean).join(': '),
      [STATES[on ? 'enabled' : 'disabled'].zh, reason].filter(Boolean).join('：'),
    ),
  }))
const keyQuestion = async (row: Row, ports: Ports): Promise<Question[]> => [
  { name: 'key', label: words('Key', '密钥'), kind: 'choice', choices: await listKeys(row, ports) },
]
const parseKeyAnswer = ({ key = '' }: Answers) => key.split(' ') as [act: 'enable' | 'disable', place: string]

/** Actions on single keys of a channel. */
const keyActions: readonly UiAction<Row>[] = [
  {
    key: 'K',
    name: words('keys', '密钥'),
    command: (row) => ['channels', 'keys', 'ls', getId(row)],
  },
  {
    key: 'A',
    name: words('add a key', '添加密钥'),
    form: () => [{ name: 'key', label: words('Key', '密钥'), kind: 'secret', check: filledIn }],
    sure: ({ channel: { name } }) => words(`Add this key to “${name}”?`, `为“${name}”添加此密钥？`),
    command: (row, answers) => ['channels', 'keys', 'add', ...flags(answers), getId(row)],
  },
  {
    key: 'o',
    name: words('switch a key on or off', '启停单个密钥'),
    form: keyQuestion,
    sure: ({ channel: { name } }, answers) => {
      const [act, place] = parseKeyAnswer(answers)
      return act === 'disable'
        ? words(`Switch key ${place} of “${name}” off?`, `禁用“${name}”的密钥 ${place}？`)
        : words(`Switch key ${place} of “${name}” on?`, `启用“${name}”的密钥 ${place}？`)
    },
    command: (row, answers) => ['channels', 'keys', parseKeyAnswer(answers)[0], getId(row), parseKeyAnswer(answers)[1]],
  },
  {
    key: 'X',
    name: words('take a key out', '移除密钥'),
    form: keyQuestion,
    sure: ({ channel: { name } }, answers) =>
      words(
        `Take key ${parseKeyAnswer(answers)[1]} out of “${name}”?`,
        `从“${name}”移除密钥 ${parseKeyAnswer(answers)[1]}？`,
      ),
    command: (row, answers) => ['channels', 'keys', 'rm', '--yes', getId(row), parseKeyAnswer(answers)[1]],
  },
]

const actions: readonly UiAction<Row>[] = [
  {
    key: 't',
    name: words('test', '测试'),
    sure: ({ channel: { name } }) => words(`Send a test call through “${name}”?`, `通过“${name}”发送测试请求？`),
    command: (row) => ['channels', 'test', getId(row)],
  },
  {
    key: 'd',
    name: words('disable/enable', '禁用/启用'),
    sure: (row) =>
      isOn(row)
        ? words(
            `Disable “${row.channel.name}”? No further call goes there.`,
            `禁用“${row.channel.name}”？此后不再有请求发往该渠道。`,
          )
        : words(`Enable “${row.channel.name}”?`, `启用“${row.channel.name}”？`),
    command: (row) => ['channels', isOn(row) ? 'disable' : 'enable', getId(row)],
  },
  {
    key: 'e',
    name: words('edit', '编辑'),
    form: async ({ channel: { id } }, { client }) => {
      const channel = await client.channels.get({ id })
      const more = (['tag', 'priority', 'weight'] as const).map((name) =>
        buildQuestion(ChannelPatch, name, { initial: String(channel[name] ?? '') }),
      )
      return [...editQuestions(channel), ...more]
    },
    sure: ({ channel: { name } }) => words(`Save the changes of “${name}”?`, `保存对“${name}”的更改？`),
    command: (row, _, changed) => editing(['channels', 'edit', getId(row)], changed),
  },
  {
    key: 'n',
    name: words('new', '新建'),
    rowless: true,
    form: async (_, { client }) => addQuestions(await client.channels.types(), {}, {}),
    sure: (_, { name = '' }) => words(`Add the channel “${name}”?`, `添加渠道“${name}”？`),
    command: (_, answers) => ['channels', 'add', ...flags(givenOf(answers))],
  },
  {
    key: 'T',
    name: words('test one model', '测试某个模型'),
    form: ({ channel }) => [
      {
        name: 'model',
        label: words('Model', '模型'),
        kind: 'choice',
        choices: parseNameList(channel.models).map((value) => ({ value, label: asData(value) })),
      },
    ],
    sure: ({ channel: { name } }, { model = '' }) =>
      words(`Send a test call for ${model} through “${name}”?`, `通过“${name}”发送 ${model} 的测试请求？`),
    command: (row, answers) => ['channels', 'test', getId(row), ...flags(answers)],
  },
  {
    key: 'c',
    name: words('copy', '复制'),
    form: ({ channel: { name } }) => [buildQuestion(ChannelPatch, 'name', { initial: `${name} copy` })],
    sure: ({ channel }, { name = '' }) =>
      words(`Copy “${channel.name}” to “${name}”?`, `将“${channel.name}”复制为“${name}”？`),
    command: (row, answers) => ['channels', 'copy', getId(row), ...flags(answers)],
  },
  ...keyActions,
  {
    key: 'b',
    name: words('balance at the provider', '服务商余额'),
    command: (row) => ['channels', 'balance', getId(row)],
  },
  {
    key: 'x',
    name: words('delete', '删除'),
    sure: ({ channel: { name } }) => words(`Delete the channel “${name}” for good?`, `永久删除渠道“${name}”？`),
    command: (row) => ['channels', 'rm', '--yes', getId(row)],
  },
]

export const channels = uiPage<Row>({
  name: 'channels',
  title: words('Channels', '渠道'),
  view,
  empty: words('No channels yet: n adds one.', '还没有渠道：按 n 添加。'),
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
  actions,
  id: ({ channel }) => channel.id,
  copied: ({ channel: { name } }) => name,
  async opened({ client, language }, { channel: { id } }): Promise<Opened> {
    const [
      {
        channels: [health],
      },
      tests,
    ] = await Promise.all([client.channels.health({ id, hours: HOURS }), client.channels.tests({ id })])
    return [
      ...(health?.keys ?? []).map((key): Opened[number] => [
        words(`KEY ${key.fingerprint}`, `密钥 ${key.fingerprint}`),
        keyText(key, language),
      ]),
      ...(health?.circuits ?? []).map(({ fingerprint, model, until }): Opened[number] => [
        words('LEFT ALONE', '暂停使用'),
        `${[fingerprint, model].filter(Boolean).join(' ')} ${timeText(until)}`,
      ]),
      ...tests.map(({ tested_at, passed, ms: took, error, model, username }): Opened[number] => [
        words('TEST', '测试'),
        `${timeText(tested_at)} ${passed ? '✔' : '✗'} ${model} ${took} ms ${username} ${error}`.trim(),
      ]),
    ]
  },
})

const keyText = ({ cells, on, reason }: ChannelHealth['keys'][number], language: Language): string =>
  `${drawStrip(cells)} ${(on ? STATES.enabled : STATES.disabled)[language]} ${reason}`.trim()
