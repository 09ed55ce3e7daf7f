// The screen tasks, for the walk, the pictures and axe.
import type { Page } from 'playwright-core'
import type { ListedTask } from '../../../core/tasks/task.ts'
import { listed, type Sample } from '../samples.ts'
import { fromMenu, openFirstCard, people, screenFacts } from '../screen-facts.ts'

/** Submitted a little after midnight, for the log begins there. */
const SUBMITTED = Math.floor(Date.now() / 1000) - 5

const clips = JSON.stringify([
  {
    ...{ id: 'c1', title: 'Water over stone', text: '[Verse]\nThe river leans upon the weir' },
    ...{ audio_url: '/song-1.mp3', video_url: '/film-1.mp4', image_large_url: '/weir.svg' },
  },
  { id: 'c2', title: 'Water over stone', audio_url: '/song-2.mp3', metadata: { prompt: 'A song of water' } },
])

export const task = (id: number, change: Partial<ListedTask> = {}): Sample<ListedTask, 'id'> => ({
  ...{ id, user_id: 1, channel_id: 8, platform: 'suno', action: 'MUSIC', task_id: `task-${id}`, status: 'SUCCESS' },
  ...{ quota: 50_000, refunded: 0, model: 'suno_music' },
  ...{ progress: '100%', data: clips, submit_time: SUBMITTED - id, finish_time: SUBMITTED - id + 61 },
  ...change,
})

export const tasks = (): Sample<ListedTask, 'id'>[] => [
  task(4),
  task(3, { status: 'QUEUED', progress: '0%', data: '', finish_time: 0 }),
  task(2, { status: 'FAILURE', action: 'OTHER', platform: 'other', data: '', fail_reason: 'The lyrics were refused' }),
  task(1, {
    ...{ action: 'LYRICS', finish_time: SUBMITTED + 9, submit_time: SUBMITTED - 1 },
    data: JSON.stringify({ id: 'l1', title: 'Low water', text: 'The banks are bare' }),
  }),
]

const path = '/task'

/** One song or several. */
async function listen(page: Page): Promise<void> {
  await openFirstCard(page)
  await page
    .locator('main')
    .getByRole('button', { name: /^(Listen|试听)/ })
    .first()
    .click()
}

export const facts = screenFacts({
  walked: { path, for: people, shows: { name: /\d\d-\d\d \d\d:\d\d/, state: /success|queu|fail|成功|排队|失败/i } },
  states: {
    tasks: { path },
    'a song of a task': { path, open: listen },
    'the record of a task': { path, open: (page) => fromMenu(page, 'Raw record') },
  },
  handlers: () => ({
    'tasks.list': () => listed(tasks()),
    'tasks.listSelf': () => listed(tasks()),
    'tasks.manage': () => ({ data: { status: 'FAILURE', refunded: 50 } }),
  }),
})
