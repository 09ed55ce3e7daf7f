// The actions of administrators on drawings and tasks, in the menu of a row.
import { describe, expect, it } from 'vitest'
import { reader, root, signedIn } from './sample-data.ts'
import { fromMenu, sayYes, useConsole } from './visit.ts'

const site = useConsole()

describe.each([
  ['/task', 'task-', 'tasks.list'],
  ['/midjourney', 'mj-', 'tasks.drawings'],
] as const)('the rows of %s', (path, prefix, list) => {
  it('are cancelled while they are open, after a question', async () => {
    await site.visit(`${path}`, { storage: signedIn(root) }, async (page) => {
      await fromMenu(page, `${prefix}3`, 'Cancel task')
      await page.getByText(`Cancel ${prefix}3?`).waitFor()
      await sayYes(page, 'Cancel task')
      await page.getByText('task cancelled').waitFor()
      expect(site.inputs('tasks.manage')).toEqual([{ id: 3, action: 'cancel' }])
      await expect.poll(() => site.inputs(list).length).toBeGreaterThan(1)
    })
  })

  it.each([
    ['Refund', 'Refund the cost', 'Refund', 'given back', 'refund'],
    ['Retry', 'A new task starts', 'Retry', 'task retried', 'retry'],
  ] as const)('that are over: %s, after a question', async (entry, question, yes, done, action) => {
    await site.visit(path, { storage: signedIn(root) }, async (page) => {
      await fromMenu(page, `${prefix}4`, entry)
      await page.getByText(question).first().waitFor()
      await sayYes(page, yes)
      await page.getByText(done, { exact: true }).waitFor()
      expect(site.inputs('tasks.manage')).toEqual([{ id: 4, action }])
    })
  })

  it('say why something cannot be done, and are nobody else’s to see to', async () => {
    await site.visit(path, { storage: signedIn(root) }, async (page) => {
      await page.getByRole('button', { name: `More for ${prefix}4`, exact: true }).click()
      const entry = page.getByRole('menuitem', { name: /^Cancel task/ })
      await expect.poll(() => entry.getAttribute('aria-disabled')).toBe('true')
      await expect.poll(() => entry.innerText()).toContain('It is finished')
    })
    await site.visit(path, { storage: signedIn(reader) }, async (page) => {
      await page.getByRole('button', { name: `More for ${prefix}4`, exact: true }).click()
      await page.getByRole('menuitem', { name: 'Raw record' }).waitFor()
      await expect.poll(() => page.getByRole('menuitem', { name: 'Refund' }).count()).toBe(0)
    })
  })
})
