import type { Page, Slice } from '../contract/page.ts'
import type { Drawing, NewDrawing } from './drawing.ts'
import type { NewTask, Task } from './task.ts'

/** 0 and the empty text do not filter; times are those of the submission, inclusive. `user_id` undefined: everybody's. */
interface Range {
  user_id?: number
  channel_id: number
  start_timestamp: number
  end_timestamp: number
}

export interface DrawingFilter extends Range {
  mj_id: string
  action: string
  status: string
}

export interface TaskFilter extends Range {
  task_id: string
  platform: string
  action: string
  status: string
}

export interface TaskStore {
  addDrawing(drawing: NewDrawing): Promise<void>
  /** Newest first. */
  drawings(filter: DrawingFilter, slice: Slice): Promise<Page<Drawing>>
  add(task: NewTask): Promise<void>
  /** Newest first. */
  list(filter: TaskFilter, slice: Slice): Promise<Page<Task>>
}
