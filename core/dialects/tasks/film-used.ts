// What a provider says that a film used.
import type { Usage } from '../usage.ts'
import type { TaskState } from './task-dialect.ts'

/** As the state tells; the same object where that is what was asked for. */
export function asTold(asked: Usage, { used }: TaskState): Usage {
  const seconds = used?.video_seconds ?? asked.video_seconds
  const film = { ...asked.film, ...used?.film }
  const isSame =
    seconds === asked.video_seconds && film.size === asked.film?.size && film.quality === asked.film?.quality
  return isSame ? asked : { ...asked, video_seconds: seconds, film }
}
