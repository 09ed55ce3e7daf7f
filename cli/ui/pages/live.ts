// What goes through just now: figures of the last minutes, and the last calls.
import { LOG_TYPE, type LogEntry } from '../../../core/calls/log-entry.ts'
import { words } from '../../../core/errors.ts'
import { quotaText } from '../../format.ts'
import { count, money, ms, text, time, type View } from '../../view.ts'
import { matches, uiPage } from '../page.ts'
import { tookMs } from '../pulse.ts'
import { sparkline } from '../../bars.ts'

const view: View<LogEntry> = {
  time: time(words('TIME', '时间'), 1, (row) => row.created_at, {
    shown: (row) => new Date(row.created_at * 1000).toTimeString().slice(0, 8),
    tone: () => 'faint',
  }),
  user: text(words('USER', '用户'), 3, (row) => row.username, { flexible: true }),
  model: text(words('MODEL', '模型'), 1, (row) => row.model_name || row.content, { flexible: true, tone: toneOf }),
  channel: text(words('CHANNEL', '渠道'), 2, (row) => row.channel_name, { flexible: true }),
  input: count(words('IN', '输入'), 4, (row) => row.prompt_tokens || null),
  output: count(words('OUT', '输出'), 4, (row) => row.completion_tokens || null),
  took: ms(words('TOOK', '耗时'), 2, (row) => (isCall(row) ? tookMs(row) : null)),
  charge: money(words('CHARGE', '费用'), 1, (row) => row.quota || null),
  what: text(words('WHAT', '说明'), 3, (row) => (row.type === LOG_TYPE.error ? row.content : null), {
    flexible: true,
    tone: () => 'bad',
  }),
  token: text(words('TOKEN', '令牌'), 0, (row) => row.token_name),
  request: text(words('REQUEST', '请求编号'), 0, (row) => row.request_id),
}

const isCall = ({ type }: LogEntry) => type === LOG_TYPE.consumption || type === LOG_TYPE.error

function toneOf({ type }: LogEntry) {
  return type === LOG_TYPE.error ? ('bad' as const) : ('strong' as const)
}

const CALLS = words('calls', '调用')
const ERRORS = words('errors', '错误')
const SPENT = words('spent', '费用')

export const live = uiPage<LogEntry>({
  name: 'live',
  title: words('Live', '实时'),
  view,
  every_ms: 0,
  async load({ pulse }, filter) {
    const last = pulse.last()
    const rows =
      filter === ''
        ? last
        : last.filter((row) =>
            matches(
              filter,
              row.username,
              row.model_name,
              row.channel_name,
              row.token_name,
              row.request_id,
              row.content,
            ),
          )
    return { rows, total: rows.length }
  },
  above({ pulse, language, money: shown }, width) {
    const now = Date.now()
    const room = Math.min(120, width - 26)
    if (room < 20) return []
    const line = (title: string, course: number[], figure: string) =>
      ` ${title.padEnd(language === 'zh' ? 6 : 8)}${sparkline(course, room)} ${figure}`
    const { calls, errors, quota } = pulse.minute(now)
    return [
      line(CALLS[language], pulse.course(now, 'calls'), `${calls}/min`),
      line(ERRORS[language], pulse.course(now, 'errors'), `${errors}/min`),
      line(SPENT[language], pulse.course(now, 'quota'), `${quotaText(quota, shown)}/min`),
    ]
  },
  actions: [],
  copied: ({ request_id }) => request_id,
  async opened({ client }, { request_id }) {
    if (request_id === '') return []
    const { channels = [], lines = [] } = (await client.logs.explain({ request_id })) as Explained
    return [
      ...channels.map((tried, at) => [words(`try ${at + 1}`, `尝试 ${at + 1}`), JSON.stringify(tried)] as const),
      ...lines.map((each, at) => [words(`line ${at + 1}`, `计费项 ${at + 1}`), JSON.stringify(each)] as const),
    ]
  },
})

interface Explained {
  channels?: readonly unknown[]
  lines?: readonly unknown[]
}
