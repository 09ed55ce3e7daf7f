// A task as its caller is told of it: where its files are for them.
import type { ToldTask } from '../../dialects/tasks/task-format.ts'
import type { Settings } from '../../settings/index.ts'
import { shownImage } from '../../tasks/drawing.ts'
import { toldOf, type StoredTask } from '../../tasks/task.ts'

type Shown = Pick<Settings, 'MjForwardUrlEnabled' | 'ServerAddress'>

/** Pictures of drawings by this server, where the operator says so; files that want a key never at their own address. */
export function toldTask(task: StoredTask, settings: Shown): ToldTask {
  const told = toldOf(task)
  const image = shownImage({ image_url: task.image_url, mj_id: task.task_id }, settings)
  const files = told.files.map((file, at) => {
    if (task.platform === 'mj' && file.kind === 'image') return { ...file, url: at === 0 ? image : file.url }
    return file.keyed
      ? { ...file, url: `${settings.ServerAddress}/v1/videos/${encodeURIComponent(task.task_id)}/content` }
      : file
  })
  return { ...told, files }
}
