// Channels with their health in the last day, their cooldowns, and their keys.
import { translateStoredFailure } from '../../../core/logs/stored-failures.ts'
import { CHANNEL_STATUS, parseNameList, type Channel } from '../../../core/channels/channel.ts'
import type { ChannelHealth, HealthCell } from '../../../core/channels/health-contract.ts'
import { fillTemplate, joinTexts, type Language } from '../../../core/errors.ts'
import { addQuestions, editQuestions, formatChannelFlags } from '../../input/channel-form.ts'
import { buildQuestion } from '../../input/flags.ts'
import { formatLocalTime } from '../../output/format.ts'
import { asUntranslatedText } from '../../language.ts'
import { buildTestFields, channelRowView, listEveryChannel, type ChannelRow } from '../../nouns/channel.ts'
import { refuseEmptyText } from '../../nouns/questions.ts'
import { STATES } from '../../nouns/states.data.ts'
import type { FormAnswers, FormChoice, FormQuestion } from '../../parts/form-state.ts'
import { words } from '../../texts.ts'
import { count, ms, text, within, type OutputView } from '../../output/view.ts'
import type { OpenedDetails, UiPagePorts, UiAction } from '../page.ts'
import { appendFlags, formatFlagWords, listGivenAnswers, matchesFilter, declareUiPage } from '../page.ts'
import { channelPatch } from '../../input/forms.built.ts'

const HOURS = 24

interface ChannelPageRow {
  channel: Channel
  /** Name of its type. */
  kind: string
  health?: ChannelHealth
}

const sumCells = ({ health }: ChannelPageRow, of: (cell: HealthCell) => number) =>
  (health?.cells ?? []).reduce((sum, cell) => sum + (cell ? of(cell) : 0), 0)
const lastTimed = ({ health }: ChannelPageRow) => health?.cells.findLast((cell) => cell?.p95_ms != null)?.p95_ms

const of = (name: keyof typeof channelRowView, rank?: number) =>
  within(channelRowView[name]!, ({ channel, kind }: ChannelPageRow): ChannelRow => ({ ...channel, kind }), rank)

const view: OutputView<ChannelPageRow> = {
  id: of('id'),
  name: of('name'),
  status: of('status'),
  health: text(words('LAST 24 HOURS'), 2, ({ health }) => drawStrip(health?.cells ?? []), {
    tone: healthTone,
  }),
  failed: count(words('FAILED'), 2, (row) => sumCells(row, ({ failed }) => failed) || null),
  p95: ms(words('P95'), 3, lastTimed),
  ...buildTestFields(({ health }: ChannelPageRow) => health?.last_test, 4),
  circuits: count(words('CIRCUITS'), 3, ({ health }) => health?.circuits.length || null),
  type: of('type', 5),
  tag: of('tag', 5),
  priority: of('priority', 4),
  weight: of('weight', 5),
  groups: of('groups', 5),
  models: of('models', 4),
  used: of('used_quota', 0),
  balance: of('balance', 0),
  base_url: of('base_url', 0),
  why: text(words('WHY'), 0, ({ health }) => health?.reason),
  last_error: text(words('LAST ERROR'), 0, ({ health }) => health?.last_error?.error, {
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

function healthTone(row: ChannelPageRow) {
  const failed = sumCells(row, (cell) => cell.failed)
  const answered = sumCells(row, (cell) => cell.answered)
  return failed === 0 ? ('good' as const) : answered > failed * 9 ? ('careful' as const) : ('bad' as const)
}

const getId = ({ channel }: ChannelPageRow) => String(channel.id)
const isOn = ({ channel }: ChannelPageRow) => channel.status === CHANNEL_STATUS.enabled

const listKeys = async ({ channel: { id } }: ChannelPageRow, { client }: UiPagePorts): Promise<FormChoice[]> =>
  (await client.channels.keys({ id })).map(({ place, key, on, reason }) => ({
    value: `${on ? 'disable' : 'enable'} ${place}`,
    label: asUntranslatedText(`${place} ${key}`),
    hint: joinTexts([STATES[on ? 'enabled' : 'disabled'], ...(reason ? [reason] : [])], words(': ')),
  }))
const keyQuestion = async (row: ChannelPageRow, ports: UiPagePorts): Promise<FormQuestion[]> => [
  { name: 'key', label: words('Key'), kind: 'choice', choices: await listKeys(row, ports) },
]
const parseKeyAnswer = ({ key = '' }: FormAnswers) => key.split(' ') as [act: 'enable' | 'disable', place: string]

/** Actions on single keys of a channel. */
const keyActions: readonly UiAction<ChannelPageRow>[] = [
  {
    key: 'K',
    name: words('keys'),
    command: (row) => ['channels', 'keys', 'ls', getId(row)],
  },
  {
    key: 'A',
    name: words('add a key'),
    form: () => [{ name: 'key', label: words('Key'), kind: 'secret', check: refuseEmptyText }],
    sure: ({ channel: { name } }) => fillTemplate(words('Add this key to “{name}”?'), { name }),
    command: (row, answers) => ['channels', 'keys', 'add', ...formatFlagWords(answers), getId(row)],
  },
  {
    key: 'o',
    name: words('switch a key on or off'),
    form: keyQuestion,
    sure: ({ channel: { name } }, answers) => {
      const [act, place] = parseKeyAnswer(answers)
      return act === 'disable'
        ? fillTemplate(words('Switch key {place} of “{name}” off?'), { place, name })
        : fillTemplate(words('Switch key {place} of “{name}” on?'), { place, name })
    },
    command: (row, answers) => ['channels', 'keys', parseKeyAnswer(answers)[0], getId(row), parseKeyAnswer(answers)[1]],
  },
  {
    key: 'X',
    name: words('remove a key'),
    form: keyQuestion,
    sure: ({ channel: { name } }, answers) =>
      fillTemplate(words('Remove key {answers} from “{name}”?'), { answers: parseKeyAnswer(answers)[1], name }),
    command: (row, answers) => ['channels', 'keys', 'rm', '--yes', getId(row), parseKeyAnswer(answers)[1]],
  },
]

const actions: readonly UiAction<ChannelPageRow>[] = [
  {
    key: 't',
    name: words('test'),
    detailed: true,
    sure: ({ channel: { name } }) => fillTemplate(words('Send a test call through “{name}”?'), { name }),
    command: (row) => ['channels', 'test', getId(row)],
  },
  {
    key: 'd',
    name: words('disable/enable'),
    sure: (row) =>
      isOn(row)
        ? fillTemplate(words('Disable “{name}”? No further call goes there.'), { name: row.channel.name })
        : fillTemplate(words('Enable “{name}”?'), { name: row.channel.name }),
    command: (row) => ['channels', isOn(row) ? 'disable' : 'enable', getId(row)],
  },
  {
    key: 'e',
    name: words('edit'),
    edits: true,
    form: async ({ channel: { id } }, { client, money }) => editQuestions(await client.channels.get({ id }), money),
    sure: ({ channel: { name } }) => fillTemplate(words('Save the changes of “{name}”?'), { name }),
    command: (row, _, changed) => appendFlags(['channels', 'edit', getId(row)], formatChannelFlags(changed)),
  },
  {
    key: 'n',
    name: words('new'),
    rowless: true,
    form: async (_, { client }) => addQuestions(await client.channels.types(), {}, {}),
    sure: (_, { name = '' }) => fillTemplate(words('Add the channel “{name}”?'), { name }),
    command: (_, answers) => ['channels', 'add', ...formatFlagWords(listGivenAnswers(answers))],
  },
  {
    key: 'T',
    name: words('test one model'),
    detailed: true,
    form: ({ channel }) => [
      {
        name: 'model',
        label: words('Model'),
        kind: 'choice',
        choices: parseNameList(channel.models).map((value) => ({ value, label: asUntranslatedText(value) })),
      },
    ],
    sure: ({ channel: { name } }, { model = '' }) =>
      fillTemplate(words('Send a test call for {model} through “{name}”?'), { model, name }),
    command: (row, answers) => ['channels', 'test', getId(row), ...formatFlagWords(answers)],
  },
  {
    key: 'c',
    name: words('copy'),
    form: ({ channel: { name } }) => [buildQuestion(channelPatch, 'name', { initial: `${name} copy` })],
    sure: ({ channel }, { name = '' }) =>
      fillTemplate(words('Copy “{name}” to “{name2}”?'), { name: channel.name, name2: name }),
    command: (row, answers) => ['channels', 'copy', getId(row), ...formatFlagWords(answers)],
  },
  ...keyActions,
  {
    key: 'l',
    name: words('calls of the channel'),
    opensPage: true,
    command: (row) => ['calls', `channel:${getId(row)}`],
  },
  {
    key: 'E',
    name: words('errors of the channel'),
    opensPage: true,
    command: (row) => ['calls', `channel:${getId(row)} type:error`],
  },
  {
    key: 'b',
    name: words('balance at the provider'),
    command: (row) => ['channels', 'balance', getId(row)],
  },
  {
    key: 'x',
    name: words('delete'),
    sure: ({ channel: { name } }) => fillTemplate(words('Delete the channel “{name}” for good?'), { name }),
    command: (row) => ['channels', 'rm', '--yes', getId(row)],
  },
]

export const channelsPage = declareUiPage<ChannelPageRow>({
  name: 'channels',
  title: words('Channels'),
  view,
  empty: words('No channels yet: n adds one.'),
  every_ms: 5000,
  async load({ client }, filter) {
    const [found, { channels: known }, types] = await Promise.all([
      listEveryChannel(client),
      client.channels.health({ hours: HOURS }),
      client.channels.types(),
    ])
    const kinds = new Map(types.map(({ type, id }) => [type, id]))
    const health = new Map(known.map((one) => [one.id, one]))
    const rows = found
      .filter((one) => matchesFilter(filter, one.id, one.name, one.group, one.models, one.tag))
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
  async opened({ client, language }, { channel: { id } }): Promise<OpenedDetails> {
    const [
      {
        channels: [health],
      },
      tests,
    ] = await Promise.all([client.channels.health({ id, hours: HOURS }), client.channels.tests({ id })])
    return [
      ...(health?.keys ?? []).map((key): OpenedDetails[number] => [
        fillTemplate(words('KEY {fingerprint}'), { fingerprint: key.fingerprint }),
        keyText(key, language),
      ]),
      ...(health?.circuits ?? []).map(({ fingerprint, model, until }): OpenedDetails[number] => [
        words('IN COOLDOWN'),
        `${[fingerprint, model].filter(Boolean).join(' ')} ${formatLocalTime(until)}`,
      ]),
      ...tests.map(({ tested_at, passed, ms: took, error, model, username }): OpenedDetails[number] => [
        words('TEST'),
        `${formatLocalTime(tested_at)} ${passed ? '✔' : '✗'} ${model} ${took} ms ${username} ${error}`.trim(),
      ]),
    ]
  },
})

const keyText = ({ cells, on, reason }: ChannelHealth['keys'][number], language: Language): string =>
  `${drawStrip(cells)} ${(on ? STATES.enabled : STATES.disabled)[language]} ${reason}`.trim()
