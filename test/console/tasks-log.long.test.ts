// The task log: its columns by who looks, its filters, records, and songs, films and words in place.
import { expect, it, vi } from 'vitest'
import { TASK_STATUSES } from '../../console/screens/tasks/kinds.ts'
import { listed, reader, root, signedIn, status } from './sample-data.ts'
import { task, tasks } from './screens/tasks.ts'
import { filterChip, useConsole } from './visit.ts'

const site = useConsole()
const storage = signedIn(root)
const WIDE = 1920

it('stands in the menu where tasks are switched on', async () => {
  site.server.use({ 'site.status': () => ({ data: { ...status, enable_task: false } }) })
  await site.visit('/token', { storage }, async (page) => {
    await page.getByRole('link', { name: 'Usage log' }).waitFor()
    await expect.poll(() => page.getByRole('link', { name: 'Task log' }).count()).toBe(0)
  })
})

it('shows administrators every column, and asks from midnight on in seconds, without an end', async () => {
  await site.visit('/task', { storage, width: WIDE }, async (page) => {
    const row = (id: string) => page.getByRole('row').filter({ hasText: id })
    await row('task-4').waitFor()
    const heads = await page.locator('main thead th').allInnerTexts()
    expect(heads.map((head) => head.trim()).filter((head) => head !== '')).toEqual([
      ...['Submitted', 'Finished', 'Progress', 'Duration', 'Channel', 'Platform', 'Action', 'Task ID', 'Status'],
      ...['Result', 'Fail reason'],
    ])
    // Seconds, which are not taken for milliseconds.
    await expect
      .poll(() => row('task-4').innerText())
      .toMatch(/100%[\s\S]*61\.0 s[\s\S]*8[\s\S]*Suno[\s\S]*Generate music[\s\S]*Success/)
    await expect.poll(() => row('task-3').innerText()).toMatch(/-\s+0%\s+N\/A[\s\S]*Queuing/)
    await expect.poll(() => row('task-2').innerText()).toMatch(/Unknown[\s\S]*Unknown[\s\S]*Failure/)
    await expect.poll(() => row('task-4').getByRole('progressbar').getAttribute('aria-valuenow')).toBe('100')
    const queued = row('task-3').locator('.tag').filter({ hasText: 'queuing' })
    expect(await queued.evaluate((tag) => tag.style.color)).not.toContain('red')
    const [asked] = site.inputs('tasks.list') as Record<string, string>[]
    expect(Number(asked!['start_timestamp'])).toBe(new Date().setHours(0, 0, 0, 0) / 1000)
    expect(asked).toMatchObject({ end_timestamp: '0', p: '0' })
  })
})

it('shows users no channel, and is narrowed down by the address', async () => {
  const path = '/task?status=FAILURE&action=MUSIC&platform=suno&task_id=t1&span=own&start=100&end=200&page=2'
  site.server.use({ 'tasks.listSelf': () => listed(tasks(), 24) })
  await site.visit(path, { storage: signedIn(reader), width: WIDE }, async (page) => {
    await page.getByText('task-4').first().waitFor()
    expect((await page.locator('main thead th').allInnerTexts()).join()).not.toContain('Channel')
    expect(site.inputs('tasks.listSelf')[0]).toMatchObject({
      ...{ status: 'FAILURE', action: 'MUSIC', platform: 'suno', task_id: 't1', p: '1', page_size: '10' },
      ...{ start_timestamp: '100', end_timestamp: '200' },
    })
    await page.getByText('of 24').waitFor()
    await page.getByRole('button', { name: 'Page 3' }).click()
    await expect.poll(() => site.inputs('tasks.listSelf').at(-1)).toMatchObject({ p: '2' })
  })
})

it('is narrowed down by channel for administrators, and by nobody else', async () => {
  await site.visit('/task?channel_id=8&task_id=t1', { storage }, async (page) => {
    await page.getByText('task-4').first().waitFor()
    expect(site.inputs('tasks.list')[0]).toMatchObject({ channel_id: '8', task_id: 't1' })
  })
  site.server.asked.length = 0
  await site.visit('/task', { storage: signedIn(reader) }, async (page) => {
    await page.getByText('task-4').first().waitFor()
    await filterChip(page, 'Status').waitFor()
    await expect.poll(() => filterChip(page, 'Channel ID').count()).toBe(0)
    expect(site.inputs('tasks.list')).toEqual([])
  })
})

it('draws progress as a ring where it is a number, and writes it where it is none', async () => {
  const rows = [task(2, { progress: '42%' }), task(1, { progress: 'waiting' })]
  site.server.use({ 'tasks.list': () => listed(rows) })
  await site.visit('/task', { storage, width: WIDE }, async (page) => {
    const row = (id: string) => page.getByRole('row').filter({ hasText: id })
    const ring = row('task-2').getByRole('progressbar')
    await expect.poll(() => ring.getAttribute('aria-valuenow')).toBe('42')
    expect((await ring.locator('svg').boundingBox())?.width).toBe(30)
    await expect.poll(() => row('task-1').getByRole('progressbar').count()).toBe(0)
    await row('task-1').getByText('waiting', { exact: true }).waitFor()
  })
})

it('shows the whole record as JSON where its id is clicked', async () => {
  await site.visit('/task', { storage, width: WIDE }, async (page) => {
    await page.getByRole('button', { name: 'task-1', exact: true }).click()
    const record = JSON.parse(await page.getByRole('region', { name: 'Raw record' }).innerText()) as { data: object }
    expect(record).toMatchObject({ task_id: 'task-1', data: { title: 'Low water' } })
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'The lyrics were refused' }).click()
    await page.getByRole('region', { name: 'Fail reason' }).waitFor()
  })
})

it('plays songs and films and shows words in place, and loads nothing before somebody plays it', async () => {
  await site.visit('/task', { storage, width: WIDE }, async (page) => {
    const loaded: string[] = []
    page.on('request', (request) => loaded.push(new URL(request.url()).pathname))
    await page.getByRole('button', { name: 'Listen (3)' }).click()
    const viewer = page.getByRole('dialog')
    const song = viewer.locator('audio')
    await song.waitFor()
    await expect.poll(() => song.getAttribute('src')).toBe('/song-1.mp3')
    await viewer.getByText('The river leans upon the weir').waitFor()
    await page.keyboard.press('ArrowRight')
    await viewer.locator('video').waitFor()
    await page.keyboard.press('ArrowRight')
    await viewer.getByText('A song of water').waitFor()
    expect(loaded.filter((path) => /mp3|mp4/.test(path))).toEqual([])
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Read' }).click()
    await viewer.getByText('The banks are bare').waitFor()
  })
})

it('says where there is no task', async () => {
  site.server.use({ 'tasks.list': () => listed([]) })
  await site.visit('/task', { storage, language: 'zh' }, async (page) => {
    await page.getByText('此范围内没有任务').waitFor()
  })
})

it('reads what a provider says, and nothing from what it does not know', async () => {
  vi.stubGlobal('document', { baseURI: 'http://weir.test/' })
  const { parseOutcome: outcomeOf } = await import('../../console/screens/tasks/outcome.ts')
  const of = (data: unknown) =>
    outcomeOf(task(1, { data: typeof data === 'string' ? data : JSON.stringify(data) }) as never)
  for (const data of ['', 'no JSON', '3', 'null', [1, null, ['x']], { title: 'nothing more' }])
    expect(of(data)).toEqual([])
  expect(of([{ audio_url: 'javascript:alert(1)', video_url: 7 }])).toEqual([])
  expect(of({ image_url: 'https://cdn.example/1.png' })).toMatchObject([{ kind: 'picture', title: 'task-1' }])
  expect(TASK_STATUSES['QUEUED']?.color).not.toBe('red')
})
