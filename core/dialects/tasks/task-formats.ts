// All formats in which tasks are submitted. The relay's paths and the tests of tasks are derived from this list.
import type { TaskFormat } from './task-format.ts'
import { arkVideoFormat } from './ark-videos.ts'
import { jimengTaskFormat } from './jimeng.ts'
import { klingTaskFormat } from './kling.ts'
import { midjourneyTaskFormat } from './midjourney/index.ts'
import { h3Format } from './minimax/h3.ts'
import { hailuoTaskFormat } from './minimax/hailuo.ts'
import { openaiVideoFormat } from './openai-videos.ts'
import { runwayTaskFormat } from './runway.ts'
import { sunoTaskFormat } from './suno.ts'
import { veoTaskFormat } from './veo.ts'
import { viduTaskFormat } from './vidu.ts'
import { wanTaskFormat } from './wan.ts'

/** Path of a provider's callbacks, followed by the secret of the task. */
export const NOTIFY_PATH_PREFIX = '/tasks/notify/'

export const TASK_FORMATS: readonly TaskFormat[] = [
  midjourneyTaskFormat,
  sunoTaskFormat,
  arkVideoFormat,
  h3Format,
  hailuoTaskFormat,
  jimengTaskFormat,
  klingTaskFormat,
  wanTaskFormat,
  veoTaskFormat,
  viduTaskFormat,
  runwayTaskFormat,
  openaiVideoFormat,
]

export const findTaskFormat = (name: string): TaskFormat | undefined =>
  TASK_FORMATS.find((format) => format.name === name)
