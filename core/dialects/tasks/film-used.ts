// The usage of a video as its provider reports it.
import type { Usage } from '../usage.ts'
import type { TaskState } from './task-dialect.ts'

/** Returns the usage with the reported values; the same object if nothing differs. */
export function asTold(asked: Usage, { used }: TaskState): Usage {
  const seconds = used?.video_seconds ?? asked.video_seconds
  const film = { ...asked.film, ...used?.film }
  const isSame =
    seconds === asked.video_seconds && film.size === asked.film?.size && film.quality === asked.film?.quality
  return isSame ? asked : { ...asked, video_seconds: seconds, film }
}
