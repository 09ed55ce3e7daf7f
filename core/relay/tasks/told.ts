// A task as its caller is told of it: where its files are for them.
import type { ToldTask } from '../../dialects/tasks/task-format.ts'
import type { Settings } from '../../settings/index.ts'
import { shownImage } from '../../tasks/drawing.ts'
import { isOver, toldOf, type StoredTask } from '../../tasks/task.ts'

type Shown = Pick<Settings, 'MjForwardUrlEnabled' | 'ServerAddress'>

/** What is drawn further has another address: nobody sees what was drawn before. */
function pictureOf(task: StoredTask, settings: Shown): string {
  const image = shownImage(task, settings)
  const drawing = settings.MjForwardUrlEnabled && image !== '' && !isOver(task.status)
  return drawing ? `${image}?rand=${Number.parseInt(task.progress, 10) || 0}` : image
}

/** Pictures of drawings by this server, where the operator says so; files that want a key never at their own address. */
export function toPublicTask(task: StoredTask, settings: Shown): ToldTask {
  const told = toldOf(task)
  const image = pictureOf(task, settings)
  const files = told.files.map((file, at) => {
    if (task.platform === 'mj' && file.kind === 'image') return { ...file, url: at === 0 ? image : file.url }
    return file.keyed
      ? { ...file, url: `${settings.ServerAddress}/v1/videos/${encodeURIComponent(task.task_id)}/content` }
      : file
  })
  return { ...told, files }
}
