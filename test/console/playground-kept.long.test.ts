// The playground's stored conversations, its exports as a file and as code, and its layout on a phone.
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { root, signedIn } from './sample-data.ts'
import { chunks, say } from './screens/playground.ts'
import { useConsole } from './visit.ts'

const site = useConsole()
const open = { storage: signedIn(root), alone: true }

/** What the browser keeps of conversations. */
const readKept = (page: Page): Promise<string> =>
  page.evaluate(
    () =>
      new Promise<string>((resolve, reject) => {
        const opening = indexedDB.open('weir-playground')
        opening.addEventListener('error', () => reject(opening.error ?? new Error('it does not open')))
        opening.addEventListener('success', () => {
          const reading = opening.result.transaction('conversations').objectStore('conversations').getAll()
          reading.addEventListener('success', () => {
            opening.result.close()
            resolve(JSON.stringify(reading.result))
          })
        })
      }),
  )

const answers = (...texts: string[]) => ({ events: chunks(texts), ends: true })

it('keeps conversations, names, opens, exports and deletes them', async () => {
  site.server.use({ playground: () => answers('**noted**') })
  await site.visit('/playground', open, async (page) => {
    await say(page, 'Remember the milk')
    await page.waitForURL(/c=/)
    const choice = page.getByRole('combobox', { name: 'Conversation' })
    await expect.poll(() => choice.locator('option').allInnerTexts()).toEqual(['New conversation', 'Remember the milk'])
    await expect.poll(() => readKept(page)).toContain('noted')
    // Models, groups and the conversation arrive in any order.
    for (let left = 5; left > 0; left -= 1) {
      await page.reload()
      await page.getByText('noted').waitFor()
    }

    const menu = page.getByRole('button', { name: 'More of this conversation' })
    await menu.click()
    await page.getByRole('menuitem', { name: 'Rename' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Shopping')
    await page.keyboard.press('Enter')
    await expect.poll(() => choice.locator('option').allInnerTexts()).toEqual(['New conversation', 'Shopping'])

    const saved = async (entry: string) => {
      await menu.click()
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('menuitem', { name: entry }).click(),
      ])
      return [file.suggestedFilename(), readFileSync(await file.path(), 'utf8')] as const
    }
    const [name, markdown] = await saved('Export as Markdown')
    expect(name).toBe('Shopping.md')
    expect(markdown).toMatch(
      /# Shopping[\s\S]*## User\n\nRemember the milk\n\n## Assistant · gpt-4o-mini\n\n\*\*noted\*\*/,
    )
    const [, json] = await saved('Export as JSON')
    expect(JSON.parse(json)).toMatchObject({ name: 'Shopping', options: { models: ['gpt-4o-mini'] } })

    await page.getByRole('button', { name: 'New conversation' }).click()
    await expect.poll(() => page.getByText('Remember the milk').count()).toBe(0)
    await choice.selectOption('Shopping')
    await page.getByText('Remember the milk').waitFor()
    await menu.click()
    await page.getByRole('menuitem', { name: 'Delete conversation' }).click()
    await page.getByText('Shopping deleted').waitFor()
    await expect.poll(() => choice.count()).toBe(0)
    await page.getByRole('button', { name: 'Undo' }).click()
    await choice.waitFor()
  })
})

it('keeps the latest fifty of each user, and of another user none', async () => {
  await site.visit('/playground', open, async (page) => {
    const options = page.getByRole('combobox', { name: 'Conversation' }).locator('option')
    await say(page, 'The newest')
    await expect.poll(() => options.allInnerTexts()).toContain('The newest')
    const heads = await page.evaluate(
      () =>
        new Promise<number>((resolve) => {
          const request = indexedDB.open('weir-playground', 1)
          request.addEventListener('success', () => {
            const writing = request.result.transaction(['heads', 'conversations'], 'readwrite')
            for (let n = 0; n < 60; n += 1)
              writing
                .objectStore('heads')
                .put({ id: `old-${n}`, user_id: n < 55 ? 1 : 2, name: `old ${n}`, changed: n })
            writing.addEventListener('complete', () => resolve(60))
          })
        }),
    )
    expect(heads).toBe(60)
    await say(page, 'It goes on')
    await expect.poll(() => options.count()).toBe(51)
    const names = await options.allInnerTexts()
    expect(names[1]).toBe('The newest')
    expect(names.at(-1)).toBe('old 6')
    expect(names.filter((name) => /old 5[5-9]/.test(name))).toEqual([])
  })
})

it('shows the next call as curl, Python and TypeScript', async () => {
  await site.visit('/playground', open, async (page) => {
    await page.getByRole('button', { name: 'View code' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('/v1/chat/completions').waitFor()
    await expect.poll(() => dialog.innerText()).toContain('"stream":true')
    await dialog.getByText('Python').click()
    await dialog.getByText('for chunk in stream:').waitFor()
    await expect.poll(() => dialog.innerText()).toContain('stream=True')
    await dialog.getByText('TypeScript').click()
    await dialog.getByText('for await (const chunk of stream)').waitFor()
  })
})

it('folds the options away on a phone, and says that a session has expired', async () => {
  await site.visit('/playground?expired=true', { ...open, width: 390, language: 'zh' }, async (page) => {
    const told = page.locator('.toast').filter({ hasText: '尚未登录或登录已失效，请再次登录' })
    // On a phone it lies over the options for as long as it stands.
    await told.getByRole('button').last().click()
    await told.waitFor({ state: 'detached' })
    const group = page.getByRole('combobox', { name: '分组' })
    await expect.poll(() => group.count()).toBe(0)
    await page.getByRole('button', { name: '选项' }).click()
    await group.waitFor()
    await page.getByRole('button', { name: '选项' }).click()
    await expect.poll(() => group.count()).toBe(0)
  })
})
