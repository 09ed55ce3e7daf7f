// A forgotten password: requesting a link, and opening it.
import { expect, it } from 'vitest'
import type { Page } from 'playwright-core'
import type { PublicStatus } from '../../core/site/status.ts'
import { answersOf, TURNSTILE } from './foreign.ts'
import { status } from './sample-data.ts'
import { stopClock, useConsole } from './visit.ts'

const site = useConsole('/gate')
const offers = (more: Partial<PublicStatus>) =>
  site.server.use({ 'site.status': () => ({ data: { ...status, ...more } }) })
const box = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true })

it('asks for a link, waits for the human check, and rests for 30 s', async () => {
  await site.visit('/', { alone: true }, async (page) => {
    offers({ turnstile_check: true, turnstile_site_key: 'site-key' })
    await answersOf(page, { 'challenges.cloudflare.com': TURNSTILE })
    await stopClock(page, () => page.goto(`${site.server.url}/login`))
    await page.getByRole('link', { name: 'Reset it' }).click()
    await page.getByText('The link is valid for 10 minutes.').waitFor()
    await page.getByRole('button', { name: 'Send reset link' }).click()
    await page.getByRole('alert').getByText('enter the email address').waitFor()
    await box(page, 'Email').fill('ada@example.com')
    await page.keyboard.press('Enter')
    await page.getByText('Please wait a few seconds, the bot check is examining the environment').waitFor()
    expect(site.inputs('auth.resetRequest')).toEqual([])
    await page.evaluate(`solve('first')`)
    await page.keyboard.press('Enter')
    await page.getByText('reset mail sent, check your mailbox').waitFor()
    const resting = page.getByRole('button', { name: 'Retry (30)' })
    await resting.waitFor()
    await expect.poll(() => resting.isDisabled()).toBe(true)
    await page.keyboard.press('Enter')
    expect(site.inputs('auth.resetRequest')).toEqual([{ email: 'ada@example.com', turnstile: 'first' }])
    await page.clock.runFor(31_000)
    await page.getByRole('button', { name: 'Send reset link' }).waitFor()
  })
})

it('does not rest after a call that was refused', async () => {
  site.server.use({ 'auth.resetRequest': () => ({ refuse: 'No mail server is configured', code: 'mail.none' }) })
  await site.visit('/reset', { language: 'zh' }, async (page) => {
    await box(page, '邮箱').fill('ada@example.com')
    await page.keyboard.press('Enter')
    await page.getByText('No mail server is configured').waitFor()
    await expect.poll(() => page.getByRole('button', { name: '发送重置链接' }).isEnabled()).toBe(true)
  })
})

it('shows the new password once, copied and to be read only', async () => {
  await site.visit('/user/reset?email=ada%40example.com&token=abc', { width: 360, height: 740 }, async (page) => {
    await expect.poll(() => box(page, 'Email').inputValue()).toBe('ada@example.com')
    expect(await box(page, 'Email').getAttribute('readonly')).not.toBeNull()
    await page.getByRole('button', { name: 'Get new password' }).click()
    await page.getByText('new password copied: Kx81mfGh2wQz').waitFor()
    expect(site.inputs('auth.reset')).toEqual([{ email: 'ada@example.com', token: 'abc' }])
    const shown = box(page, 'New password')
    expect([await shown.inputValue(), await shown.getAttribute('readonly')]).toEqual(['Kx81mfGh2wQz', ''])
    await expect.poll(() => page.getByRole('button', { name: 'Password reset done' }).isDisabled()).toBe(true)
    await page.evaluate(() => navigator.clipboard.writeText('other'))
    await shown.click()
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe('Kx81mfGh2wQz')
    await page.getByRole('link', { name: 'Sign in' }).click()
    await page.waitForURL('**/gate/login')
  })
  await site.visit('/user/reset?email=ada%40example.com', {}, async (page) => {
    await page.getByText('This link is incomplete').waitFor()
    await page.getByRole('link', { name: 'Ask for another link' }).click()
    await page.waitForURL('**/gate/reset')
  })
})
