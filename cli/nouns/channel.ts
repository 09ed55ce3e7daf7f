// Display of channels, and search by name or tag.
import { CHANNEL_STATUS, jsonObject, parseNameList, type Channel } from '../../core/channels/channel.ts'
import type { TestOutcome } from '../../core/channels/test-outcome.ts'
import type { WeirClient } from '../../core/contracts.ts'
import { words } from '../../core/errors.ts'
import { translateStoredFailure } from '../../core/logs/stored-failures.ts'
import { Refusal } from '../failure.ts'
import { everyRow } from '../paging.ts'
import { count, flag, list, money, number, object, text, time, ms, word, type View } from '../view.ts'
import { STATES, stateTone, wordOf } from './states.data.ts'

/** A channel with the name of its type. */
export type ChannelRow = Channel & { kind: string }

/** Returns the name of a channel's status. */
export const channelStateOf = ({ status }: Pick<Channel, 'status'>): string => wordOf(CHANNEL_STATUS, status)

const parseTrouble = ({ other_info }: Channel) => jsonObject(other_info)

export const channelView: View<ChannelRow> = {
  id: count(words('ID', '编号'), 1, ({ id }) => id),
  name: text(words('NAME', '名称'), 1, ({ name }) => name, { flexible: true, tone: () => 'strong' }),
  slug: text(words('SLUG', '标识'), 0, ({ slug }) => slug),
  type: text(words('TYPE', '类型'), 2, ({ kind }) => kind),
  status: word(words('STATUS', '状态'), 1, STATES, channelStateOf, { tone: (row) => stateTone(channelStateOf(row)) }),
  tag: text(words('TAG', '标签'), 4, ({ tag }) => tag, { flexible: true }),
  remark: text(words('REMARK', '备注'), 5, ({ remark }) => remark || null, { flexible: true }),
  groups: list(words('GROUPS', '分组'), 3, ({ group }) => parseNameList(group), { flexible: true }),
  priority: count(words('PRIORITY', '优先级'), 3, ({ priority }) => priority),
  weight: count(words('WEIGHT', '权重'), 4, ({ weight }) => weight),
  tested: time(words('TESTED', '测试时间'), 5, ({ test_time }) => test_time),
  response_ms: ms(words('RESPONSE', '响应时间'), 0, ({ response_time }) => response_time || null),
  used_quota: money(words('USED', '已用'), 5, ({ used_quota }) => used_quota),
  /** Balance in the provider's currency. */
  balance: number(words('BALANCE AT PROVIDER', '服务商余额'), 0, (row) =>
    row.balance_updated_time > 0 ? row.balance : null,
  ),
  balance_asked: time(words('BALANCE ASKED', '余额查询时间'), 0, (row) => row.balance_updated_time),
  base_url: text(words('ADDRESS', '地址'), 0, ({ base_url }) => base_url),
  test_model: text(words('TEST MODEL', '测试模型'), 0, ({ test_model }) => test_model),
  max_input_tokens: count(words('LONGEST PROMPT', '最大输入'), 0, (row) => row.max_input_tokens || null),
  switches_itself_off: flag(words('SWITCHES ITSELF OFF', '自动禁用'), 0, ({ auto_ban }) => auto_ban === 1),
  several_keys: text(words('SEVERAL KEYS', '多密钥方式'), 0, ({ key_mode }) => key_mode || null),
  status_reason: text(words('WHY OFF', '禁用原因'), 0, (row) => findReason(row)),
  status_since: time(words('OFF SINCE', '禁用时间'), 0, (row) => Number(parseTrouble(row).status_time ?? 0)),
  created: time(words('CREATED', '创建时间'), 0, (row) => row.created_time),
  model_mapping: object(words('MODEL MAPPING', '模型映射'), (row) => jsonObject(row.model_mapping)),
  setting: object(words('SETTING', '设置'), (row) => jsonObject(row.setting)),
  models: list(words('MODELS', '模型'), 2, (row) => parseNameList(row.models), { flexible: true }),
}

/** Results of tests, with `untested` for a channel without one. */
export const TEST_RESULTS = {
  ok: words('ok', '正常'),
  failed: words('failed', '失败'),
  untested: words('not tested', '未测试'),
}
export const testTone = ({ result }: { result: string }) =>
  result === 'ok' ? 'good' : result === 'failed' ? 'bad' : 'faint'

/** Returns the fields of a channel's last test: its result, and the error of a failed one. */
export function buildTestFields<T>(find: (row: T) => TestOutcome | null | undefined, rank: number): View<T> {
  const getResult = (row: T) => {
    const test = find(row)
    return !test ? 'untested' : test.passed ? 'ok' : 'failed'
  }
  return {
    last_test: word(words('LAST TEST', '最近测试'), rank, TEST_RESULTS, getResult, {
      tone: (row) => testTone({ result: getResult(row) }),
    }),
    test_error: text(words('TEST ERROR', '测试错误'), 0, (row) => find(row)?.error || null, {
      shown: (row, { language }) => translateStoredFailure(find(row)?.error ?? '', language),
    }),
  }
}

const findReason = (row: Channel): string | null => {
  const { status_reason } = parseTrouble(row)
  return typeof status_reason === 'string' ? status_reason : null
}

/** Adds the names of their types, which the server knows. */
export async function withTypes(weir: WeirClient, rows: readonly Channel[]): Promise<ChannelRow[]> {
  const types = new Map((await weir.channels.types()).map(({ type, id }) => [type, id]))
  return rows.map((row) => ({ ...row, kind: types.get(row.type) ?? String(row.type) }))
}

const MAX_PAGE_SIZE = 100

/** Returns all channels, from every page. */
export const everyChannel = (weir: WeirClient): Promise<Channel[]> =>
  everyRow((cursor) => weir.channels.list({ page_size: MAX_PAGE_SIZE, cursor }))

/** Returns the channel by id, slug or name. @throws Refusal if none or several match */
export async function needChannel(weir: WeirClient, name: string): Promise<Channel> {
  if (/^\d+$/.test(name)) return weir.channels.get({ id: Number(name) })
  const found = await weir.channels.search({ keyword: name })
  const own = found.find(({ slug }) => slug === name)
  if (own) return own
  const same = found.filter((row) => row.name.toLowerCase() === name.trim().toLowerCase())
  if (same.length > 1) {
    const ids = same.map(({ id, slug }) => `${id} ${slug}`).join(', ')
    throw new Refusal(
      words(
        `Several channels are called "${name}": name one by its id or slug (${ids}).`,
        `有多个名为 "${name}" 的渠道：请用编号或标识指定（${ids}）。`,
      ),
      'channel.ambiguous',
    )
  }
  if (same[0]) return same[0]
  throw new Refusal(
    words(
      `No channel is called "${name}": see \`weir channels\`.`,
      `没有名为 "${name}" 的渠道：见 \`weir channels\`。`,
    ),
    'channel.missing',
  )
}

/** Returns the channels of a tag. @throws Refusal if none has it */
export async function needTagged(weir: WeirClient, tag: string): Promise<Channel[]> {
  const tagged = (await everyChannel(weir)).filter((row) => row.tag === tag)
  if (tagged.length > 0) return tagged
  throw new Refusal(
    words(
      `No channel has the tag "${tag}": see \`weir channels\`.`,
      `没有带标签 "${tag}" 的渠道：见 \`weir channels\`。`,
    ),
    'channel.tag_unknown',
  )
}
