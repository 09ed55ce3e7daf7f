// Display of channels, and search by name or tag.
import { CHANNEL_STATUS, parseJsonObjectText, parseNameList, type Channel } from '../../core/channels/channel.ts'
import type { TestOutcome } from '../../core/channels/test-outcome.ts'
import type { WeirClient } from '../../core/contracts.ts'
import { fillTemplate } from '../../core/errors.ts'
import { translateStoredFailure } from '../../core/logs/stored-failures.ts'
import { GatewayRefusal } from '../failure.ts'
import { listEveryRow } from '../output/paging.ts'
import { words } from '../texts.ts'
import { findByName } from './names.ts'
import { count, flag, list, money, number, object, text, time, ms, word, type OutputView } from '../output/view.ts'
import { STATES, stateTone, toStateWord } from './states.data.ts'

/** A channel with the name of its type. */
export type ChannelRow = Channel & { kind: string }

/** Returns the name of a channel's status. */
export const getChannelState = ({ status }: Pick<Channel, 'status'>): string => toStateWord(CHANNEL_STATUS, status)

const parseTrouble = ({ other_info }: Channel) => parseJsonObjectText(other_info)

export const channelRowView: OutputView<ChannelRow> = {
  id: count(words('ID'), 1, ({ id }) => id),
  name: text(words('NAME'), 1, ({ name }) => name, { flexible: true, tone: () => 'strong' }),
  slug: text(words('SLUG'), 0, ({ slug }) => slug),
  type: text(words('TYPE'), 2, ({ kind }) => kind),
  status: word(words('STATUS'), 1, STATES, getChannelState, { tone: (row) => stateTone(getChannelState(row)) }),
  tag: text(words('TAG'), 4, ({ tag }) => tag, { flexible: true }),
  remark: text(words('REMARK'), 5, ({ remark }) => remark || null, { flexible: true }),
  groups: list(words('GROUPS'), 3, ({ group }) => parseNameList(group), { flexible: true }),
  priority: count(words('PRIORITY'), 3, ({ priority }) => priority),
  weight: count(words('WEIGHT'), 4, ({ weight }) => weight),
  tested: time(words('TESTED'), 5, ({ test_time }) => test_time),
  response_ms: ms(words('RESPONSE'), 0, ({ response_time }) => response_time || null),
  used_quota: money(words('USED'), 5, ({ used_quota }) => used_quota),
  /** Balance in the provider's currency. */
  balance: number(words('BALANCE AT PROVIDER'), 0, (row) => (row.balance_updated_time > 0 ? row.balance : null)),
  balance_asked: time(words('BALANCE FETCHED'), 0, (row) => row.balance_updated_time),
  base_url: text(words('ADDRESS'), 0, ({ base_url }) => base_url),
  test_model: text(words('TEST MODEL'), 0, ({ test_model }) => test_model),
  max_input_tokens: count(words('LONGEST PROMPT'), 0, (row) => row.max_input_tokens || null),
  switches_itself_off: flag(words('SWITCHES ITSELF OFF'), 0, ({ auto_ban }) => auto_ban === 1),
  several_keys: text(words('SEVERAL KEYS'), 0, ({ key_mode }) => key_mode || null),
  status_reason: text(words('WHY OFF'), 6, (row) => findReason(row), {
    flexible: true,
    below: true,
    tone: () => 'bad',
  }),
  status_since: time(words('OFF SINCE'), 0, (row) => Number(parseTrouble(row).status_time ?? 0)),
  created: time(words('CREATED'), 0, (row) => row.created_time),
  model_mapping: object(words('MODEL MAPPING'), (row) => parseJsonObjectText(row.model_mapping)),
  setting: object(words('SETTING'), (row) => parseJsonObjectText(row.setting)),
  models: list(words('MODELS'), 2, (row) => parseNameList(row.models), { flexible: true }),
}

/** Results of tests, with `untested` for a channel without one. */
export const CHANNEL_TEST_RESULTS = {
  ok: words('ok'),
  failed: words('failed'),
  untested: words('not tested'),
}
export const testTone = ({ result }: { result: string }) =>
  result === 'ok' ? 'good' : result === 'failed' ? 'bad' : 'faint'

/** Returns the fields of a channel's last test: its result, and the error of a failed one. */
export function buildTestFields<T>(find: (row: T) => TestOutcome | null | undefined, rank: number): OutputView<T> {
  const getResult = (row: T) => {
    const test = find(row)
    return !test ? 'untested' : test.passed ? 'ok' : 'failed'
  }
  return {
    last_test: word(words('LAST TEST'), rank, CHANNEL_TEST_RESULTS, getResult, {
      tone: (row) => testTone({ result: getResult(row) }),
    }),
    test_error: text(words('TEST ERROR'), 0, (row) => find(row)?.error || null, {
      shown: (row, { language }) => translateStoredFailure(find(row)?.error ?? '', language),
    }),
  }
}

const findReason = (row: Channel): string | null => {
  const { status_reason } = parseTrouble(row)
  return typeof status_reason === 'string' ? status_reason : null
}

/** Adds the names of their types, which the server knows. */
export async function addTypeNames(weir: WeirClient, rows: readonly Channel[]): Promise<ChannelRow[]> {
  const types = new Map((await weir.channels.types()).map(({ type, id }) => [type, id]))
  return rows.map((row) => ({ ...row, kind: types.get(row.type) ?? String(row.type) }))
}

const MAX_PAGE_SIZE = 100

/** Returns all channels, from every page. */
export const listEveryChannel = (weir: WeirClient): Promise<Channel[]> =>
  listEveryRow((cursor) => weir.channels.list({ page_size: MAX_PAGE_SIZE, cursor }))

/** Returns the channel by id, slug or name. @throws Refusal if none or several match */
export async function findRequiredChannel(weir: WeirClient, name: string): Promise<Channel> {
  if (/^\d+$/.test(name)) return weir.channels.get({ id: Number(name) })
  const found = await weir.channels.search({ keyword: name })
  return findByName({
    name,
    rows: found,
    getNames: ({ name: called, slug }) => [called, slug],
    describe: ({ id, slug }) => `${id} ${slug}`,
    missing: words('No channel is called "{name}": see `weir channels`.'),
    several: words('Several channels are called "{name}": name one by its id or slug ({ids}).'),
    kind: 'channel',
    listNames: async () => (await listEveryChannel(weir)).map((row) => row.name),
  })
}

/** Returns the id of a channel by id, slug or name; an id is not looked up. @throws Refusal if none or several match */
export const findChannelId = async (weir: WeirClient, name: string): Promise<number> =>
  /^\d+$/.test(name) ? Number(name) : (await findRequiredChannel(weir, name)).id

/** Returns the channels of a tag. @throws Refusal if none has it */
export async function findTaggedChannels(weir: WeirClient, tag: string): Promise<Channel[]> {
  const tagged = (await listEveryChannel(weir)).filter((row) => row.tag === tag)
  if (tagged.length > 0) return tagged
  throw new GatewayRefusal(
    fillTemplate(words('No channel has the tag "{tag}": see `weir channels`.'), { tag }),
    'channel.tag_unknown',
  )
}
