// Asynchronous tasks of providers: drawings and music.
import { words } from '../../../core/errors.ts'
import { rowOfDrawing, rowOfTask, taskView, type TaskRow } from '../../nouns/task.ts'
import { matches, uiPage } from '../page.ts'

export const tasks = uiPage<TaskRow>({
  name: 'tasks',
  title: words('Tasks', '任务'),
  view: taskView,
  empty: words('No drawings or music yet.', '还没有绘图或音乐任务。'),
  every_ms: 5000,
  async load({ client }, filter) {
    const [others, drawings] = await Promise.all([client.tasks.list({}), client.tasks.drawings({})])
    const rows = [...others.data.map(rowOfTask), ...drawings.data.map(rowOfDrawing)]
      .filter(({ id, platform, action, status }) => matches(filter, id, platform, action, status))
      .toSorted((one, other) => other.created_at - one.created_at)
    return { rows, total: filter === '' ? others.total + drawings.total : rows.length }
  },
  actions: [],
  id: ({ id }) => id,
  copied: ({ id }) => id,
})
