// The drawing log: its columns and colours by role, its filters, running tasks, and pictures in place.
import { expect, it } from 'vitest'
import { DRAWING_ACTIONS, DRAWING_CODES, DRAWING_STATUSES } from '../../console/screens/drawings/kinds.ts'
import { parsePercentText } from '../../console/parts/status/progress.tsx'
import { listed, reader, root, signedIn, status } from './sample-data.ts'
import { drawing, drawings } from './screens/drawings.ts'
import { filterChip, fromMenu, runUntil, stopClock, useConsole } from './visit.ts'

const site = useConsole()
const storage = signedIn(root)
const WIDE = 1920

it('stands in the menu where drawings are switched on', async () => {
  await site.visit('/token', { storage }, async (page) => {
    await page.getByRole('link', { name: 'Drawing log' }).click()
    await page.getByRole('row').filter({ hasText: 'mj-4' }).waitFor()
  })
  site.server.use({ 'site.status': () => ({ data: { ...status, enable_drawing: false } }) })
  await site.visit('/token', { storage }, async (page) => {
    await page.getByRole('link', { name: 'Usage log' }).waitFor()
    await expect.poll(() => page.getByRole('link', { name: 'Drawing log' }).count()).toBe(0)
  })
})

it('shows administrators every column, and asks for the last 30 days and an hour in milliseconds', async () => {
  await site.visit('/midjourney', { storage, width: WIDE }, async (page) => {
    const row = (id: string) => page.getByRole('row').filter({ hasText: id })
    await row('mj-4').waitFor()
    const heads = await page.locator('main thead th').allInnerTexts()
    expect(heads.map((head) => head.trim()).filter((head) => head !== '')).toEqual([
      ...['Submitted', 'Duration', 'Channel', 'Type', 'Task ID', 'Submission result', 'Task status', 'Progress'],
      ...['Result image', 'Prompt', 'PromptEn', 'Fail reason'],
    ])
    await expect
      .poll(() => row('mj-4').innerText())
      .toMatch(/42\.5 s[\s\S]*7[\s\S]*Draw[\s\S]*Submitted[\s\S]*Success[\s\S]*100%/)
    await expect
      .poll(() => row('mj-3').innerText())
      .toMatch(/N\/A[\s\S]*Zoom[\s\S]*Duplicate submission[\s\S]*In progress[\s\S]*42%/)
    await expect.poll(() => row('mj-2').innerText()).toMatch(/Waiting[\s\S]*Failure/)
    await expect.poll(() => row('mj-2').locator('.progress-bar').getAttribute('class')).toContain('progress-failed')
    const colors = (id: string, text: string) =>
      row(id)
        .locator('.tag')
        .filter({ hasText: text })
        .evaluate((tag) => tag.style.color)
    await expect.poll(() => colors('mj-4', '42.5 s')).toContain('--semi-green')
    await expect.poll(() => colors('mj-1', '90.0 s')).toContain('--semi-red')
    const [asked] = site.inputs('tasks.drawings') as { start_timestamp: string; end_timestamp: string; p: string }[]
    const span = Number(asked!.end_timestamp) - Number(asked!.start_timestamp)
    expect(span).toBe((30 * 24 + 1) * 3_600_000)
    expect(Number(asked!.end_timestamp)).toBeGreaterThan(Date.now())
    expect(asked!.p).toBe('0')

    await row('mj-4').getByRole('button', { name: '7', exact: true }).click()
    await page.getByText('copied: 7').waitFor()
    await page.getByText('Midjourney callbacks are off').waitFor()
  })
})

it('says in red what took longer than 60 s, and in green what did not', async () => {
  const took = [1, 59.9, 60, 60.1, 600].map((seconds, at) =>
    drawing(at + 1, { submit_time: 1_790_000_000_000, finish_time: 1_790_000_000_000 + seconds * 1000 }),
  )
  site.server.use({ 'tasks.drawings': () => listed(took) })
  await site.visit('/midjourney', { storage, width: WIDE }, async (page) => {
    const tags = page.locator('main tbody .tag').filter({ hasText: / s$/ })
    await expect.poll(() => tags.count()).toBe(took.length)
    const said = await tags.evaluateAll((all) =>
      all.map((tag) => [tag.textContent, /--semi-(\w+)-/.exec((tag as HTMLElement).style.color)?.[1]].join(' ')),
    )
    expect(said).toEqual(['1.0 s green', '59.9 s green', '60.0 s green', '60.1 s red', '600.0 s red'])
  })
})

it('shows users neither channels nor results, and nothing of callbacks', async () => {
  await site.visit('/midjourney', { storage: signedIn(reader), width: WIDE }, async (page) => {
    await page.getByRole('row').filter({ hasText: 'mj-4' }).waitFor()
    const heads = (await page.locator('main thead th').allInnerTexts()).join()
    expect(heads).toContain('Progress')
    for (const hidden of ['Channel', 'Submission result', 'Task status']) expect(heads).not.toContain(hidden)
    await expect.poll(() => page.getByText('Midjourney callbacks').count()).toBe(0)
    expect(site.inputs('tasks.drawings')).toEqual([])
    for (const name of ['Type', 'Task status', 'Model']) await filterChip(page, name).waitFor()
    await expect.poll(() => filterChip(page, 'Channel ID').count()).toBe(0)
  })
})

it('says nothing of callbacks where they are on', async () => {
  site.server.use({ 'site.status': () => ({ data: { ...status, mj_notify_enabled: true } }) })
  await site.visit('/midjourney', { storage }, async (page) => {
    await page.getByText('mj-4').first().waitFor()
    await expect.poll(() => page.getByText('Midjourney callbacks').count()).toBe(0)
    await expect.poll(() => page.evaluate(() => localStorage.getItem('mj_notify_enabled'))).toBe('true')
  })
})

it('is narrowed down by id, type, state, channel and time, all of it in the address', async () => {
  await site.visit(
    '/midjourney?action=ZOOM&status=FAILURE&channel_id=7&span=own&start=100&end=200',
    { storage },
    async (page) => {
      await page.getByText('mj-4').first().waitFor()
      expect(site.inputs('tasks.drawings')[0]).toMatchObject({
        ...{ action: 'ZOOM', status: 'FAILURE', channel_id: '7', start_timestamp: '100000', end_timestamp: '200000' },
      })
      await page.getByRole('textbox', { name: 'Task ID' }).fill('mj-9')
      await page.keyboard.press('Enter')
      await expect.poll(() => site.inputs('tasks.drawings').at(-1)).toMatchObject({ mj_id: 'mj-9', action: 'ZOOM' })
      expect(page.url()).toContain('mj_id=mj-9')
      await page.getByRole('button', { name: 'Reset' }).click()
      await expect.poll(() => site.inputs('tasks.drawings').at(-1)).not.toHaveProperty('action', 'ZOOM')
    },
  )
})

it('opens prompts and reasons in a dialog that scrolls, and the record of a row', async () => {
  await site.visit('/midjourney', { storage, width: WIDE }, async (page) => {
    await page.getByRole('button', { name: 'Banned prompt detected' }).click()
    const whole = page.getByRole('region', { name: 'Fail reason' })
    await expect.poll(() => whole.innerText()).toBe('Banned prompt detected: '.repeat(9))
    await expect.poll(() => whole.evaluate((element) => getComputedStyle(element).overflowY)).toBe('auto')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'a weir at dawn 4' }).click()
    await expect.poll(() => page.getByRole('region', { name: 'Prompt' }).innerText()).toBe('a weir at dawn 4')
    await page.keyboard.press('Escape')
    await fromMenu(page, 'mj-3', 'Raw record')
    expect(JSON.parse(await page.getByRole('region', { name: 'Raw record' }).innerText())).toMatchObject({
      ...{ mj_id: 'mj-3', progress: '42%', status: 'IN_PROGRESS' },
    })
    await page.keyboard.press('Escape')
    await fromMenu(page, 'mj-3', 'Copy the task ID')
    await page.getByText('copied: mj-3').waitFor()
    await expect
      .poll(() => page.getByRole('row').filter({ hasText: 'mj-1' }).getByText('none', { exact: true }).count())
      .toBe(3)
  })
})

it('shows pictures in place, moved through by the keyboard, as rows and beside each other', async () => {
  await site.visit('/midjourney', { storage, width: WIDE }, async (page) => {
    await page.getByRole('button', { name: 'View image' }).first().click()
    const viewer = page.getByRole('dialog')
    await viewer.getByRole('img', { name: 'mj-4' }).waitFor()
    await expect.poll(() => viewer.getByRole('img').getAttribute('src')).toBe('/weir.svg')
    await page.keyboard.press('ArrowRight')
    await viewer.getByRole('img', { name: 'mj-1' }).waitFor()
    await viewer.getByText('2 of 2').waitFor()
    await page.keyboard.press('ArrowRight')
    await viewer.getByRole('img', { name: 'mj-4' }).waitFor()
    await page.keyboard.press('End')
    await viewer.getByRole('img', { name: 'mj-1' }).waitFor()
    await page.keyboard.press('Escape')
    await expect.poll(() => viewer.count()).toBe(0)

    await page.getByRole('button', { name: 'Grid' }).click()
    expect(page.url()).toContain('view=grid')
    const grid = page.getByRole('list', { name: 'Drawing log' })
    await expect.poll(() => grid.getByRole('listitem').count()).toBe(4)
    await expect.poll(() => grid.getByRole('listitem').nth(1).innerText()).toContain('42%')
    await expect.poll(() => grid.locator('img').first().getAttribute('loading')).toBe('lazy')
    await grid.getByRole('button', { name: 'View image: mj-1' }).click()
    await viewer.getByRole('img', { name: 'mj-1' }).waitFor()
  })
})

it('says of a picture that it cannot be loaded, and shows no address that is none', async () => {
  const rows = [
    drawing(1, { image_url: '/gone.png' }),
    drawing(2, { image_url: 'javascript:alert(1)' }),
    drawing(3, { image_url: '//elsewhere.example/1.png' }),
  ]
  site.server.use({ 'tasks.drawings': () => listed(rows) })
  await site.visit('/midjourney', { storage, width: WIDE, expected: /./ }, async (page) => {
    const cell = (id: string) =>
      page.getByRole('row').filter({ hasText: id }).getByRole('button', { name: 'View image' })
    await cell('mj-1').click()
    await page.getByText('It could not be loaded.').waitFor()
    await expect
      .poll(() => page.getByRole('link', { name: 'Open in a new tab' }).getAttribute('href'))
      .toBe('/gone.png')
    await page.keyboard.press('Escape')
    await expect.poll(() => cell('mj-2').count()).toBe(0)
    await expect.poll(() => cell('mj-3').count()).toBe(1)
  })
})

it('asks again while something is under way and the page is seen, and not when all is done', async () => {
  await site.visit('/midjourney', { storage, alone: true }, async (page) => {
    await stopClock(page)
    await runUntil(page, () => page.getByText('42%').isVisible())
    const before = site.inputs('tasks.drawings').length
    site.server.use({
      'tasks.drawings': () =>
        listed(drawings().map((row) => (row.id === 3 ? { ...row, status: 'SUCCESS', progress: '100%' } : row))),
    })
    await page.clock.runFor(5100)
    await runUntil(page, () => page.getByText('42%').isHidden())
    const after = site.inputs('tasks.drawings').length
    expect(after).toBeGreaterThan(before)
    await page.clock.runFor(30_000)
    expect(site.inputs('tasks.drawings').length).toBe(after)
  })
})

it('has a word and a colour for every kind that there is', () => {
  expect(Object.keys(DRAWING_ACTIONS)).toEqual([
    ...['IMAGINE', 'UPSCALE', 'VARIATION', 'HIGH_VARIATION', 'LOW_VARIATION', 'PAN', 'DESCRIBE', 'BLEND', 'UPLOAD'],
    ...['SHORTEN', 'REROLL', 'INPAINT', 'ZOOM', 'CUSTOM_ZOOM', 'MODAL', 'SWAP_FACE'],
  ])
  const colors = (kinds: typeof DRAWING_ACTIONS) =>
    Object.fromEntries(Object.entries(kinds).map(([name, { color }]) => [name, color]))
  expect(colors(DRAWING_STATUSES)).toEqual({
    ...{
      SUCCESS: 'green',
      NOT_START: 'grey',
      SUBMITTED: 'yellow',
      IN_PROGRESS: 'blue',
      FAILURE: 'red',
      MODAL: 'yellow',
    },
  })
  expect(colors(DRAWING_CODES)).toEqual({ 0: 'yellow', 1: 'green', 21: 'lime', 22: 'orange' })
  expect(['42%', '100%', '7', '120%', '', 'waiting', '3 of 4'].map(parsePercentText)).toEqual([
    42,
    100,
    7,
    100,
    null,
    null,
    null,
  ])
})
