// What providers do in their own time: drawings and music.
import { words } from '../../../core/errors.ts'
import { count, money, text, time, type View } from '../../view.ts'
import { matches, uiPage } from '../page.ts'

interface Row {
  id: string
  platform: string
  action: string
  status: string
  progress: string
  user_id: number
  channel_id: number
  quota: number
  created_at: number
  failure: string
}

const view: View<Row> = {
  id: text(words('ID', '编号'), 1, ({ id }) => id, { flexible: true, tone: () => 'strong' }),
  platform: text(words('PLATFORM', '平台'), 2, ({ platform }) => platform),
  action: text(words('ACTION', '操作'), 2, ({ action }) => action),
  status: text(words('STATUS', '状态'), 1, ({ status }) => status, { tone: (row) => (row.failure ? 'bad' : 'plain') }),
  progress: text(words('DONE', '进度'), 1, ({ progress }) => progress),
  user: count(words('USER', '用户'), 4, (row) => row.user_id),
  channel: count(words('CHANNEL', '渠道'), 4, (row) => row.channel_id),
  charge: money(words('CHARGE', '费用'), 2, ({ quota }) => quota),
  submitted: time(words('SUBMITTED', '提交时间'), 3, (row) => row.created_at),
  failure: text(words('FAILURE', '失败原因'), 3, ({ failure }) => failure, { flexible: true, tone: () => 'bad' }),
}

export const tasks = uiPage<Row>({
  name: 'tasks',
  title: words('Tasks', '任务'),
  view,
  every_ms: 5000,
  async load({ client }, filter) {
    const [others, drawings] = await Promise.all([client.tasks.list({}), client.tasks.drawings({})])
    const all: Row[] = [
      ...others.map((one) => ({ ...one, id: one.task_id, failure: one.fail_reason })),
      ...drawings.map((one) => ({ ...one, id: one.mj_id, platform: 'midjourney', failure: one.fail_reason })),
    ]
    const rows = all
      .filter(({ id, platform, action, status }) => matches(filter, id, platform, action, status))
      .toSorted((one, other) => other.created_at - one.created_at)
    return { rows, total: rows.length }
  },
  actions: [],
  copied: ({ id }) => id,
})
