// Asynchronous tasks of providers: drawings and music.
import { rowOfDrawing, rowOfTask, taskView, type TaskRow } from '../../nouns/task.ts'
import { matches, uiPage } from '../page.ts'
import { words } from '../../texts.ts'

export const tasks = uiPage<TaskRow>({
  name: 'tasks',
  title: words('Tasks'),
  view: taskView,
  empty: words('No drawings or music yet.'),
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
