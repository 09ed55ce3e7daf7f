// What every list has from its parts: sorting, selection, rows that stay when they cannot be refreshed.
import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { listed, reader, root, signedIn, token } from './sample-data.ts'
import { NOW } from './samples.ts'
import { fromMenu, sayYes, setFilter, useConsole } from './visit.ts'

const site = useConsole()
const storage = signedIn(root)

it('sorts by what the server sorts by, in the address', async () => {
  await site.visit('/token', { storage }, async (page) => {
    await page.getByRole('button', { name: 'Sort by Name' }).click()
    await expect.poll(() => site.inputs('tokens.list').at(-1)).toMatchObject({ sort: 'name' })
    await page.getByRole('button', { name: 'Sort by Name' }).click()
    await expect.poll(() => site.inputs('tokens.list').at(-1)).toMatchObject({ sort: '-name' })
    await expect
      .poll(() => page.getByRole('columnheader', { name: 'Name' }).getAttribute('aria-sort'))
      .toBe('descending')
    expect(page.url()).toContain('sort=-name')
    await page.getByRole('button', { name: 'Sort by Name' }).click()
    await expect.poll(() => page.url()).not.toContain('sort=')
  })
})

it('selects rows by the keyboard, all of a page at once, and says what can be done with them', async () => {
  await site.visit('/token', { storage }, async (page) => {
    await page.getByRole('checkbox', { name: 'Select laptop' }).focus()
    await page.keyboard.press('Space')
    await page.getByText('1 selected').waitFor()
    const all = page.getByRole('checkbox', { name: 'Select all on this page' })
    await expect.poll(() => all.evaluate((box: HTMLInputElement) => box.indeterminate)).toBe(true)
    await all.check()
    await page.getByText('3 selected').waitFor()
    await page.getByRole('region', { name: 'Selected rows' }).getByRole('button', { name: 'Copy selected' }).click()
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toMatch(/^(.+ {4}sk-\w+\n?){3}$/)
    await page.getByRole('button', { name: 'Clear selection' }).click()
    await expect.poll(() => page.getByRole('region', { name: 'Selected rows' }).count()).toBe(0)
  })
})

it('keeps the rows when they cannot be refreshed, and says from when they are', async () => {
  await site.visit('/channel', { storage, expected: /500/ }, async (page) => {
    await page.getByText('OpenAI main').waitFor()
    const answer = (status: number) => ({ refuse: 'x', status })
    site.server.use({ 'channels.list': () => answer(500) })
    await page.getByRole('button', { name: 'Refresh' }).click()
    await page.getByText(/These are the rows of \d\d:\d\d:\d\d/).waitFor()
    await page.getByText('OpenAI main').waitFor()
    // It is said there, and nowhere else.
    await expect.poll(() => page.locator('.toast').count()).toBe(0)
  })
})

it('draws of a hundred rows those that can be seen, and all of them by scrolling', async () => {
  const rows = Array.from({ length: 100 }, (_, index) => token(index + 1, { name: `token ${index + 1}` }))
  site.server.use({ 'tokens.list': () => listed(rows, 100) })
  await site.visit('/token', { storage: { ...storage, 'page-size': '100' } }, async (page) => {
    await page.getByText('token 1', { exact: true }).waitFor()
    await expect.poll(() => page.locator('table.rows tbody[data-index]').count()).toBeLessThan(60)
    await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight))
    await page.getByText('token 100', { exact: true }).waitFor()
  })
})

it('draws no row again for what changes around the rows, and writes all of them with the same formats', async () => {
  const tokens = Array.from({ length: 100 }, (_, index) => token(index + 1, { name: `t${index}` }))
  site.server.use({ 'tokens.list': () => listed(tokens, 100) })
  await site.visit('/channel', { storage: { ...storage, 'page-size': '100' } }, async (page) => {
    await page.evaluate(() => {
      const made = { formats: 0, heights: 0 }
      Object.assign(globalThis, { made })
      for (const name of ['NumberFormat', 'DateTimeFormat'] as const)
        Object.assign(Intl, {
          [name]: new Proxy<object>(Intl[name], {
            construct: (format, given) => ((made.formats += 1), Reflect.construct(format as never, given) as object),
          }),
        })
      // The height of a row that has just come in, asked for, lays the whole page out.
      const { get } = Object.getOwnPropertyDescriptor(HTMLElement.prototype, 'offsetHeight')!
      Object.defineProperty(HTMLElement.prototype, 'offsetHeight', {
        get(this: HTMLElement) {
          if (this.tagName === 'TBODY') made.heights += 1
          return get!.call(this) as number
        },
      })
    })
    await page.getByRole('link', { name: 'API tokens' }).click()
    await page.getByRole('rowheader', { name: /^t0\b/ }).waitFor()
    await expect
      .poll(() => page.evaluate(() => (globalThis as never as { made: unknown }).made))
      .toEqual({
        formats: 0,
        heights: 0,
      })
    const first = await page.getByRole('rowheader', { name: /^t0\b/ }).elementHandle()
    const changes = await page.evaluateHandle(() => {
      const seen = { records: 0 }
      new MutationObserver((records) => (seen.records += records.length)).observe(
        document.querySelector('table.rows')!,
        {
          subtree: true,
          childList: true,
          characterData: true,
        },
      )
      return seen
    })
    await page.getByRole('checkbox', { name: 'Select t0' }).check()
    await page.getByText('1 selected').waitFor()
    await expect.poll(() => changes.evaluate(({ records }) => records)).toBe(0)
    await expect.poll(() => first?.evaluate((cell) => cell.isConnected)).toBe(true)
  })
})

it('opens, walks and leaves a menu by the keyboard, which gives the focus back', async () => {
  await site.visit('/token', { storage }, async (page) => {
    const more = page.getByRole('button', { name: 'More for laptop' })
    await more.focus()
    await page.keyboard.press('Enter')
    const active = () => page.evaluate(() => document.activeElement?.textContent)
    await expect.poll(active).toBe('Enable')
    await page.keyboard.press('End')
    await expect.poll(active).toBe('Delete')
    await page.keyboard.press('ArrowDown')
    await expect.poll(active).toBe('Enable')
    await page.keyboard.press('Escape')
    await expect.poll(() => more.evaluate((button) => button === document.activeElement)).toBe(true)
    await expect.poll(() => page.getByRole('menu').count()).toBe(0)
  })
})

it('keeps a menu beside its button while the page rolls, and closes it where that is out of sight', async () => {
  const rows = Array.from({ length: 20 }, (_, index) =>
    token(index + 1, { name: index === 0 ? 'laptop' : `t${index}` }),
  )
  site.server.use({ 'tokens.list': () => listed(rows, 20) })
  await site.visit('/token', { storage, width: 390, height: 320 }, async (page) => {
    const more = page.getByRole('button', { name: 'More for laptop' })
    await more.click()
    const menu = page.getByRole('menu')
    await menu.waitFor()
    const rolled = (by: number) =>
      page.evaluate(async (px) => {
        const over = new Promise((done) => document.addEventListener('scrollend', done, { once: true }))
        window.scrollBy(0, px)
        await over
      }, by)
    await rolled(20)
    await expect.poll(() => menu.isVisible()).toBe(true)
    await rolled(2000)
    await menu.waitFor({ state: 'hidden' })
  })
})

it('asks before it throws away what was typed, and not otherwise', async () => {
  await site.visit('/token', { storage }, async (page) => {
    const panel = page.getByRole('dialog', { name: 'New API token' })
    const open = async () => {
      await page.getByRole('button', { name: 'Create token' }).click()
      await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Name')
    }
    await open()
    await page.keyboard.press('Escape')
    await panel.waitFor({ state: 'hidden' })
    await open()
    await page.keyboard.type('mine')
    await page.keyboard.press('Escape')
    const question = page.getByRole('dialog', { name: 'Discard what you have typed?' })
    await question.getByRole('button', { name: 'Cancel' }).click()
    await expect.poll(() => panel.getByLabel('Name', { exact: true }).last().inputValue()).toBe('mine')
    await page.keyboard.press('Control+Enter')
    await page.getByText('token created').waitFor()
    expect(site.inputs('tokens.create')).toMatchObject([{ name: 'mine' }])
  })
})

it('gives a row back as it was where deleting is not wanted', async () => {
  await site.visit('/token', { storage }, async (page) => {
    await fromMenu(page, 'laptop', 'Delete')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    expect(site.inputs('tokens.delete')).toEqual([])
  })
})

it('searches while something is typed, and keeps a view and the columns of every list', async () => {
  await site.visit('/token', { storage }, async (page) => {
    await page.getByText('production').waitFor()
    await page.getByLabel('Keyword').pressSequentially('prod')
    await expect.poll(() => site.inputs('tokens.search').at(-1)).toMatchObject({ keyword: 'prod' })
    await page.getByRole('button', { name: 'Views' }).click()
    await page.getByRole('menuitem', { name: 'Save this view' }).click()
    await page.getByRole('textbox', { name: 'Name of the view' }).fill('production')
    await page.keyboard.press('Enter')
    await expect
      .poll(() => page.evaluate(() => localStorage.getItem('tokens-views')))
      .toBe('{"production":"?keyword=prod"}')
    await page.getByRole('button', { name: 'Reset' }).click()
    await page.getByText('laptop').waitFor()

    const titles = () => page.locator('main thead th').evaluateAll((all) => all.map((one) => one.dataset['column']))
    expect((await titles())[0]).toMatch(/^name/)
    await page.getByRole('button', { name: 'Columns' }).click()
    await page.getByRole('button', { name: 'Move Status forward' }).click()
    await page.getByRole('button', { name: 'OK', exact: true }).click()
    await expect.poll(async () => (await titles())[0]).toMatch(/^status/)

    const edge = page.locator('main thead th .row-edge').first()
    const { x, y } = (await edge.boundingBox())!
    await page.mouse.move(x + 2, y + 4)
    await page.mouse.down()
    await page.mouse.move(x + 82, y + 4, { steps: 3 })
    await page.mouse.up()
    const layout = () => page.evaluate(() => localStorage.getItem('tokens-column-layout') ?? '')
    await expect.poll(layout).toMatch(/"widths":\{"status":\d+\}/)
    const width = Number(/"status":(\d+)/.exec(await layout())![1])
    await page.reload()
    await page.getByText('production').waitFor()
    await expect
      .poll(() =>
        page
          .locator('main thead th')
          .first()
          .evaluate((one) => Math.round(one.getBoundingClientRect().width)),
      )
      .toBe(width)
  })
})

const switchedOff = {
  ...{ id: 5, team_id: 70, team_name: 'research', list: 'tokens', name: 'Switched off', query: '?status=2' },
  created_time: NOW,
}
const managed = [{ id: 70, name: 'research' }]

it('shares a view with a team whose owner saves it, renames it and deletes it', async () => {
  let views: object[] = []
  site.server.use({
    'teams.views': () => ({ data: { views, managed } }),
    'teams.shareView': () => {
      views = [switchedOff]
      return { data: switchedOff }
    },
    'teams.renameView': ({ name }) => {
      views = [{ ...switchedOff, name }]
      return { data: views[0] }
    },
    'teams.deleteView': () => {
      views = []
      return { data: null }
    },
  })
  await site.visit('/token?status=2', { storage }, async (page) => {
    await page.getByRole('button', { name: 'Views' }).click()
    await page.getByRole('menuitem', { name: 'Save this view' }).click()
    await page.getByRole('textbox', { name: 'Name of the view' }).fill('Switched off')
    await page.getByRole('combobox', { name: 'Visible to' }).selectOption('Team research')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('the members of team research see this view now').waitFor()
    expect(site.inputs('teams.shareView')).toEqual([
      { id: 70, list: 'tokens', name: 'Switched off', query: '?status=2' },
    ])
    expect(await page.evaluate(() => localStorage.getItem('tokens-views'))).toBeNull()

    await page.getByRole('button', { name: 'Switched off' }).click()
    await page.getByRole('menuitem', { name: "Rename the team's view Switched off" }).click()
    await page.getByRole('textbox', { name: 'Name of the view' }).fill('Disabled')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Disabled', exact: true }).click()
    expect(site.inputs('teams.renameView')).toEqual([{ id: 70, view_id: 5, name: 'Disabled' }])

    await page.getByRole('menuitem', { name: "Delete the team's view Disabled" }).click()
    await page.getByRole('dialog', { name: 'Delete the view Disabled of team research?' }).waitFor()
    expect(site.inputs('teams.deleteView')).toEqual([])
    await sayYes(page, 'Delete')
    await page.getByRole('button', { name: 'Views' }).waitFor()
    expect(site.inputs('teams.deleteView')).toEqual([{ id: '70', view_id: '5' }])
  })
})

it('shows the views of a team to its members, each in its list, marked with the name of the team', async () => {
  const views = [switchedOff, { ...switchedOff, id: 6, list: 'logs', name: 'Errors' }]
  site.server.use({ 'teams.views': () => ({ data: { views, managed: [] } }) })
  await site.visit('/token', { storage: signedIn(reader) }, async (page) => {
    await page.getByRole('button', { name: 'Views' }).click()
    await page.getByRole('menuitemradio', { name: /^Switched off\s*Team research$/ }).click()
    await expect.poll(() => site.inputs('tokens.list').at(-1)).toMatchObject({ status: '2' })
    await page.getByRole('button', { name: 'Switched off' }).click()
    await expect.poll(() => page.getByRole('menuitemradio').count()).toBe(1)
    await expect.poll(() => page.getByRole('menuitem').count()).toBe(0)
    await page.keyboard.press('Escape')
    await setFilter(page, 'Status Disabled', 'Enabled')
    await page.getByRole('button', { name: 'Views' }).click()
    await page.getByRole('menuitem', { name: 'Save this view' }).click()
    await page.getByRole('textbox', { name: 'Name of the view' }).waitFor()
    await expect.poll(() => page.getByRole('combobox', { name: 'Visible to' }).count()).toBe(0)
  })
})

it('resizes columns by the keyboard, and gives the width back', async () => {
  await site.visit('/token', { storage }, async (page) => {
    await page.getByText('laptop').waitFor()
    await page.getByRole('button', { name: 'Sort by Name' }).focus()
    await page.keyboard.press('Tab')
    const edge = page.getByRole('separator', { name: 'Width of the column Name' })
    await expect.poll(() => edge.evaluate((one) => one === document.activeElement)).toBe(true)
    const read = async (name: string) => Number(await edge.getAttribute(`aria-value${name}`))
    const begin = await read('now')
    const isAt = async (width: number) => {
      await expect.poll(() => read('now')).toBe(width)
      const column = page.getByRole('columnheader', { name: 'Name' })
      expect(await column.evaluate((one) => Math.round(one.getBoundingClientRect().width))).toBe(width)
    }
    await isAt(begin)
    for (const [key, width] of [
      ['ArrowRight', begin + 10],
      ['Shift+ArrowRight', begin + 60],
      ['ArrowLeft', begin + 50],
      ['End', await read('max')],
      ['Home', await read('min')],
      ['Escape', begin],
      ['ArrowLeft', begin - 10],
      ['Enter', begin],
      ['ArrowLeft', begin - 10],
    ] as const) {
      await page.keyboard.press(key)
      await isAt(width)
    }
    expect(await read('min')).toBeLessThan(begin)
    expect(await read('max')).toBeGreaterThan(begin)
    await edge.dblclick()
    await isAt(begin)
  })
})

it('orders columns by the keyboard, which stays at the button that it presses', async () => {
  await site.visit('/token', { storage }, async (page) => {
    const titles = () => page.locator('main thead th').evaluateAll((all) => all.map((one) => one.dataset['column']))
    await page.getByText('laptop').waitFor()
    await page.getByRole('button', { name: 'Columns' }).focus()
    await page.keyboard.press('Enter')
    const forward = page.getByRole('button', { name: 'Move Status forward' })
    await forward.focus()
    await page.keyboard.press('Enter')
    await page.getByText('Status: column 1 of').waitFor({ state: 'attached' })
    await page.keyboard.press('Enter')
    await expect.poll(() => forward.evaluate((one) => one === document.activeElement)).toBe(true)
    await page.getByRole('button', { name: 'OK', exact: true }).focus()
    await page.keyboard.press('Enter')
    await expect.poll(async () => (await titles())[0]).toMatch(/^status/)
  })
})

it('saves the rows of all pages as a file, without the keys', async () => {
  const all = Array.from({ length: 130 }, (_, index) => token(index + 1, { name: `t${index}` }))
  site.server.use({
    'tokens.list': ({ p, size }) => listed(all.slice(Number(p) * Number(size), (Number(p) + 1) * Number(size)), 130),
  })
  await site.visit('/token', { storage }, async (page) => {
    await page.getByText('t0', { exact: true }).waitFor()
    const file = page.waitForEvent('download')
    await page.getByRole('button', { name: 'CSV: API tokens' }).click()
    const text = await readFile((await (await file).path())!, 'utf8')
    expect(text.trim().split('\n')).toHaveLength(131)
    expect(text).toContain('t129')
    expect(text.split('\n')[0]).not.toMatch(/\bkey\b/)
  })
})

it('finds alert rules by name, kind and state', async () => {
  await site.visit('/alerts?state=quiet', { storage }, async (page) => {
    const names = () => page.getByRole('rowheader').allInnerTexts()
    const shown = async () => (await names()).map((text) => text.split('\n')[0])
    await expect.poll(shown).toEqual(['Errors'])
    await page.getByRole('button', { name: 'Reset' }).click()
    await expect.poll(shown).toEqual(['Errors', 'Disk', 'Certificate', 'Spend'])
    await setFilter(page, 'State', 'Alert')
    await expect.poll(shown).toEqual(['Disk'])
    await setFilter(page, 'What', 'Spend')
    await page.getByText('No rule matches').waitFor()
    await page.getByRole('button', { name: 'Reset' }).click()
    await page.getByLabel('Keyword').fill('cert')
    await expect.poll(shown).toEqual(['Certificate'])
  })
})
