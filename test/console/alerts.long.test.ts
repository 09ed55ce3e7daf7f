// The editor of alert rules, and the request to a webhook.
import { expect, it } from 'vitest'
import { WEBHOOK_MESSAGE_FORMATS } from '../../core/notify/robots.ts'
import { root, signedIn } from './sample-data.ts'
import { useConsole } from './visit.ts'

const site = useConsole()
const storage = signedIn(root)

it('creates a rule for each format of a webhook, and keeps the format of one that is edited', async () => {
  await site.visit('/alerts', { storage, height: 1400 }, async (page) => {
    for (const format of WEBHOOK_MESSAGE_FORMATS) {
      await page.getByRole('button', { name: 'Add rule' }).click()
      const panel = page.getByRole('dialog')
      await panel.getByLabel('Name', { exact: true }).last().fill(format)
      await panel.locator('[data-field=webhook_url] input').fill('https://robot.example/hook')
      await panel.getByRole('combobox', { name: 'Webhook format' }).selectOption(format)
      await panel.locator('button[type=submit]').click()
      await panel.waitFor({ state: 'hidden' })
    }
    const created = site.inputs('alerts.create').map(({ name, webhook_format: format }) => [name, format])
    expect(created).toEqual(WEBHOOK_MESSAGE_FORMATS.map((format) => [format, format]))

    const rule = { id: 1, name: 'Errors', kind: 'error_rate', enabled: true, threshold: 20, webhook_format: 'dingtalk' }
    site.server.use({ 'alerts.list': () => ({ data: [{ ...rule, webhook_url: 'https://robot.example/hook' }] }) })
    await page.reload()
    await page.getByRole('row').filter({ hasText: 'Errors' }).getByRole('button', { name: /^Edit/ }).click()
    const panel = page.getByRole('dialog')
    const choice = panel.getByRole('combobox', { name: 'Webhook format' })
    await expect.poll(() => choice.inputValue()).toBe('dingtalk')
    await choice.selectOption('slack')
    // What the server refuses of the format stands at it.
    site.server.use({ 'alerts.update': () => ({ refuse: 'not an address of Slack', field: 'webhook_format' }) })
    await panel.locator('button[type=submit]').click()
    await panel.locator('[data-field=webhook_format] .field-error').getByText('not an address of Slack').waitFor()
    expect(site.inputs('alerts.update').at(-1)).toMatchObject({ id: 1, webhook_format: 'slack' })
  })
})

it('offers the formats on a phone, dark and in Chinese', async () => {
  const phone = { storage, width: 390, height: 844, dark: true, language: 'zh' as const }
  await site.visit('/alerts', phone, async (page) => {
    await page.getByText('Certificate').first().waitFor()
    await page.keyboard.press('n')
    const field = page.getByRole('dialog').locator('[data-field=webhook_format]')
    await field.scrollIntoViewIfNeeded()
    await expect.poll(() => field.innerText()).toContain('Webhook 格式')
    expect(await field.locator('option').allTextContents()).toEqual([
      ...['Weir（JSON）', '飞书（Lark）', '钉钉', '企业微信', 'Slack', 'Discord'],
    ])
    const box = await field.locator('select').boundingBox()
    expect(box!.x + box!.width).toBeLessThanOrEqual(390)
  })
})
