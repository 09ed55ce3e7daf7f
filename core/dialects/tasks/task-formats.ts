// All formats in which tasks are submitted. The relay's paths and the tests of tasks are derived from this list.
import type { TaskFormat } from './task-format.ts'
import { arkVideos } from './ark-videos.ts'
import { jimengFormat } from './jimeng.ts'
import { klingFormat } from './kling.ts'
import { midjourneyFormat } from './midjourney/index.ts'
import { h3Format } from './minimax/h3.ts'
import { hailuoFormat } from './minimax/hailuo.ts'
import { openaiVideos } from './openai-videos.ts'
import { runwayFormat } from './runway.ts'
import { sunoFormat } from './suno.ts'
import { veo } from './veo.ts'
import { viduFormat } from './vidu.ts'
import { wanFormat } from './wan.ts'

export const TASK_FORMATS: readonly TaskFormat[] = [
  midjourneyFormat,
  sunoFormat,
  arkVideos,
  h3Format,
  hailuoFormat,
  jimengFormat,
  klingFormat,
  wanFormat,
  veo,
  viduFormat,
  runwayFormat,
  openaiVideos,
]

export const taskFormat = (name: string): TaskFormat | undefined => TASK_FORMATS.find((format) => format.name === name)
