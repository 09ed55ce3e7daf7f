// The screen drawings, for the walk, the pictures and axe.
import type { DrawingTask } from '../../../core/tasks/drawing.ts'
import { listed, type Sample } from '../samples.ts'
import { fromMenu, openFirstCard, people, press, screenFacts } from '../screen-facts.ts'

/** Submitted an hour ago. */
const SUBMITTED = Date.now() - 3_600_000

export const drawing = (id: number, change: Partial<DrawingTask> = {}): Sample<DrawingTask, 'id'> => ({
  ...{ id, user_id: 1, channel_id: 7, mj_id: `mj-${id}`, action: 'IMAGINE', code: 1, status: 'SUCCESS' },
  ...{ quota: 50_000, refunded: 0, model: 'mj_imagine' },
  ...{ progress: '100%', prompt: `a weir at dawn ${id}`, prompt_en: 'a weir at dawn', image_url: '/weir.svg' },
  ...{ submit_time: SUBMITTED - id * 60_000, finish_time: SUBMITTED - id * 60_000 + 42_500 },
  ...change,
})

/** One as it should be, one on its way, one that came to nothing, and one more. */
export const drawings = (): Sample<DrawingTask, 'id'>[] => [
  drawing(4),
  drawing(3, { action: 'ZOOM', status: 'IN_PROGRESS', progress: '42%', image_url: '', finish_time: 0, code: 22 }),
  drawing(2, { status: 'FAILURE', image_url: '', fail_reason: 'Banned prompt detected: '.repeat(9), code: 21 }),
  drawing(1, { action: 'UPSCALE', finish_time: SUBMITTED + 90_000 - 60_000, prompt: '', prompt_en: '' }),
]

const path = '/midjourney'

export const facts = screenFacts({
  walked: { path, for: people, shows: { name: /\d\d-\d\d \d\d:\d\d/, state: /%/ } },
  states: {
    drawings: { path },
    'drawings as pictures': { path: `${path}?view=grid` },
    'a picture of a drawing': {
      path,
      open: async (page) => {
        await openFirstCard(page)
        await press(page, 'View image')
      },
    },
    'the record of a drawing': { path, open: (page) => fromMenu(page, 'Raw record') },
  },
  handlers: () => ({
    'tasks.drawings': () => listed(drawings()),
    'tasks.drawingsSelf': () => listed(drawings()),
    'tasks.manage': () => ({ data: { status: 'FAILURE', refunded: 50 } }),
  }),
})
