// Asynchronous tasks of providers: drawings and music.
import { toDrawingRow, toListedTaskRow, listedTaskView, type TaskRow } from '../../nouns/task.ts'
import { matchesFilter, declareUiPage } from '../page.ts'
import { words } from '../../texts.ts'

export const tasksPage = declareUiPage<TaskRow>({
  name: 'tasks',
  title: words('Tasks'),
  view: listedTaskView,
  empty: words('No drawings or music yet.'),
  every_ms: 5000,
  async load({ client }, filter) {
    const [others, drawings] = await Promise.all([client.tasks.list({}), client.tasks.drawings({})])
    const rows = [...others.data.map(toListedTaskRow), ...drawings.data.map(toDrawingRow)]
      .filter(({ id, platform, action, status }) => matchesFilter(filter, id, platform, action, status))
      .toSorted((one, other) => other.created_at - one.created_at)
    return { rows, total: filter === '' ? others.total + drawings.total : rows.length }
  },
  actions: [],
  id: ({ id }) => id,
  copied: ({ id }) => id,
})
