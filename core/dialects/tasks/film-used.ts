// The usage of a video as its provider reports it.
import type { Usage } from '../answers/usage.ts'
import type { TaskState } from './task-dialect.ts'

/** Returns the usage with the reported values; the same object if nothing differs. */
export function applyReportedUsage(requested: Usage, { used }: TaskState): Usage {
  const seconds = used?.video_seconds ?? requested.video_seconds
  const film = { ...requested.film, ...used?.film }
  const isSame =
    seconds === requested.video_seconds &&
    film.size === requested.film?.size &&
    film.quality === requested.film?.quality
  return isSame ? requested : { ...requested, video_seconds: seconds, film }
}
