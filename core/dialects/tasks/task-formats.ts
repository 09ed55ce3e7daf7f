// Every format that tasks are submitted in, once: the relay's paths and the tests of tasks are made of this list.
import type { TaskFormat } from './task-format.ts'
import { openaiVideos } from './openai-videos.ts'
import { sunoFormat } from './suno.ts'

export const TASK_FORMATS: readonly TaskFormat[] = [sunoFormat, openaiVideos]

export const taskFormat = (name: string): TaskFormat | undefined => TASK_FORMATS.find((format) => format.name === name)
