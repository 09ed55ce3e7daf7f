// The settings: every declared one is found, changed and saved; who may see and change them.
import type { Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { cards, getCardTab, tabs, type Card } from '../../core/settings/cards.data.ts'
import { declaredSettings } from '../../core/settings/index.ts'
import type { Setting } from '../../core/settings/setting.ts'
import { reader, root, signedIn } from './sample-data.ts'
import { storedText } from './screens/settings.ts'
import { at, row, sentTo } from './settings-page.ts'
import { navigate, sayYes, useConsole } from './visit.ts'
import { runsAllTests, sampleCases } from '../support/suite.ts'

const site = useConsole()
const storage = signedIn(root)
const all = Object.entries(declaredSettings as Record<string, Setting<unknown>>)
const sent = () => sentTo(site)

/** How those are changed that have an editor of their own. */
const BY_HAND: Record<string, (at: Locator) => Promise<unknown>> = {
  GroupRatio: (at) => at.getByLabel('Ratio: vip').fill('2'),
  UserUsableGroups: (at) => at.getByLabel('Description for users: vip').fill('Very important'),
  GroupGroupRatio: async (at) => {
    await at.getByRole('button', { name: 'Add a row' }).click()
    await at.getByLabel(/Group of the user 1/).fill('vip')
    await at.getByLabel(/Group of the call 1/).fill('default')
  },
  TopupGroupRatio: (at) => at.getByLabel(/: Ratio 1/).fill('3'),
  ModelRequestRateLimitGroup: async (at) => {
    await at.getByRole('button', { name: 'Add a row' }).click()
    await at.getByLabel(/: Group 1/).fill('vip')
  },
  RateLimits: async (at) => {
    await at.getByRole('button', { name: 'Add a row' }).click()
    await at.getByLabel(/: Calls per minute$/).fill('60')
  },
  Chats: (at) => at.getByLabel(/: Name 1/).fill('Other'),
  EmailDomainWhitelist: async (at) => {
    await at.getByLabel('New domain').fill('weir.example')
    await at.getByLabel('New domain').press('Enter')
  },
}

/** Changes it to something that it may be. */
async function change(page: Page, key: string, { value, secret, unit }: Setting<unknown>): Promise<void> {
  const at = row(page, key)
  if (BY_HAND[key]) return void (await BY_HAND[key](at))
  const field = at.locator('input:not([type=checkbox]), textarea').first()
  if (secret) return field.fill('s3cret')
  if (unit?.en === 'quota units') return field.fill('3')
  switch (value.kind) {
    case 'flag':
      return void (await at.locator('[role=switch]').click())
    case 'count':
    case 'decimal':
      return field.fill(
        String(value.default === value.min ? (value.min ?? 0) + (value.kind === 'count' ? 1 : 0.1) : value.min),
      )
    case 'choice':
      return void (await at.locator('select').selectOption(value.choices!.find((one) => one !== value.default)!))
    case 'json':
      return field.fill(Array.isArray(value.default) ? '["one"]' : '{"one": 1}')
    default:
      return field.fill('https://changed.example.com')
  }
}

/** Settings that are changed in `npm test`, too: one of each kind and of each card, and those with a form of their own. */
function sampleSettings(settings: [string, Setting<unknown>][]): [string, Setting<unknown>][] {
  const seen = new Set<string>()
  return settings.filter(([key, { card, value, secret }]) => {
    const kind = `${value.kind} ${secret === true}`
    const isFirst = !seen.has(card) || !seen.has(kind)
    seen.add(card).add(kind)
    return runsAllTests || isFirst || BY_HAND[key] !== undefined || key === WELL_KNOWN
  })
}

const isAtOnce = ({ card, value }: Setting<unknown>) => getCardTab(card) === 'system' && value.kind === 'flag'

describe.each(Object.keys(tabs))('on the tab %s', (tab) => {
  const own = all.filter(([, { card }]) => getCardTab(card) === tab)
  const later = sampleSettings(own.filter(([, setting]) => !isAtOnce(setting)))

  it('every declared setting is found by its key, stands on one card, is changed and saved with what was read', async () => {
    await site.visit(`/setting?tab=${tab}`, { storage, width: 1280 }, async (page) => {
      await page.locator('.settings-card').first().waitFor()
      const search = page.getByRole('searchbox')
      for (const [key, setting] of later) {
        await search.fill(key)
        await row(page, key).waitFor()
        expect(await row(page, key).count(), key).toBe(1)
        await expect.poll(() => row(page, key).innerText()).toContain(setting.label.en)
        await change(page, key, setting)
        await row(page, key).locator('.tag', { hasText: 'not saved' }).first().waitFor()
      }
      await page.getByText(`${later.length} unsaved changes`).first().waitFor()
      await page.getByRole('button', { name: 'Save all', exact: true }).click()
      // What is dangerous, is asked about first.
      const asked = page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true })
      const saved = page.getByText(/^(saved|update succeeded)$/).first()
      await asked.or(saved).first().waitFor()
      if (await asked.count()) await asked.click()
      await saved.waitFor()
      const [options] = sent()
      expect(options!.map(({ key }) => key).sort()).toEqual(
        [...new Set([...later.map(([key]) => key), ...(tab === 'system' ? ENDPOINTS : [])])].sort(),
      )
      for (const { key, value, was } of options!) {
        const setting = declaredSettings[key as keyof typeof declaredSettings] as Setting<unknown>
        if (ENDPOINTS.includes(key)) continue
        expect(value, key).not.toBe(storedText(key))
        expect(was, key).toBe(setting.secret ? undefined : storedText(key))
      }
    })
  }, 180_000)

  it('each card stands on one page, which has its own address and heading, and one button that saves it', async () => {
    const own = (Object.keys(cards) as Card[]).filter((card) => getCardTab(card) === tab)
    await site.visit(`/setting?tab=${tab}`, { storage, height: 900 }, async (page) => {
      await page.locator('.settings-page, .settings-card').first().waitFor()
      const links = page.getByRole('navigation', { name: 'Pages of this tab' }).getByRole('link')
      const seen: string[] = []
      const names = await links.allInnerTexts()
      for (let at = 0; at < Math.max(1, names.length); at += 1) {
        if (names.length > 0) {
          await page.evaluate(() => window.scrollTo(0, 4000))
          await links.nth(at).click()
        }
        const name = names[at] ?? 'Rate limits'
        await page.getByRole('heading', { name, exact: true, level: 2 }).waitFor()
        if (name === 'Model prices') await page.getByRole('tab', { name: 'Visual ratio settings' }).waitFor()
        else
          await expect
            .poll(() => page.getByRole('button', { name: /^Save / }).count(), { message: name })
            .toBe(ONE_BY_ONE.includes(name) ? 0 : 1)
        if (names.length > 0) {
          expect(page.url()).toMatch(new RegExp(`/setting\\?tab=${tab}&page=\\w+$`))
          await expect.poll(() => page.evaluate(() => window.scrollY), { message: name }).toBe(0)
        }
        seen.push(...(await page.locator('main section[id]').evaluateAll((all) => all.map(({ id }) => id))))
      }
      expect(seen.sort()).toEqual(own.sort())
    })
  })
})

/** Pages without a button for the whole page: each of their fields has one. */
const ONE_BY_ONE = ['Contents of the site']

/** Read from the document, whose address is changed. */
const WELL_KNOWN = 'oidc.well_known'
const ENDPOINTS = ['oidc.authorization_endpoint', 'oidc.token_endpoint', 'oidc.user_info_endpoint']

describe('every checkbox of the tab System', () => {
  const boxes = sampleCases(
    all.filter(([, setting]) => isAtOnce(setting)),
    3,
  )

  it('is saved when it is pressed, after a question where it is dangerous', async () => {
    await site.visit('/setting?tab=system', { storage }, async (page) => {
      await page.locator('.settings-card').first().waitFor()
      for (const [key, { dangerAt, value }] of boxes) {
        await page.getByRole('searchbox').fill(key)
        const before = sent().length
        await row(page, key).locator('.semi-checkbox').click()
        const next = value.default !== true
        if (dangerAt !== undefined && dangerAt === next) {
          expect(sent().length, key).toBe(before)
          await sayYes(page, 'Save')
        }
        await expect.poll(() => sent().length, { message: key }).toBe(before + 1)
        expect(sent().at(-1)).toEqual([{ key, value: String(next), was: String(value.default) }])
      }
    })
  }, 90_000)
})

it('goes on by Tab from the card that it was led to', async () => {
  await site.visit('/token', { storage }, async (page) => {
    await page.getByRole('link', { name: 'Usage log' }).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog').getByRole('combobox').fill('system mail')
    await page.getByRole('option', { name: 'Settings: System, Mail' }).waitFor()
    await page.keyboard.press('Enter')
    await row(page, 'SMTPServer').waitFor()
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('system.smtp')
    await page.keyboard.press('Tab')
    expect(
      await row(page, 'SMTPServer')
        .locator('input')
        .evaluate((one) => one === document.activeElement),
    ).toBe(true)
    await page.keyboard.type('mail.example.org')
    await page.keyboard.press('Control+Enter')
    await expect.poll(() => sent().at(-1)).toMatchObject([{ key: 'SMTPServer', value: 'mail.example.org' }])
  })
})

it('keeps the tab in the address, and takes an unknown one for the first', async () => {
  await site.visit('/setting', { storage }, async (page) => {
    await page.getByRole('tab', { name: 'Rate limit' }).click()
    await page.getByText('Limit model requests of each user').waitFor()
    expect(new URL(page.url()).search).toBe('?tab=ratelimit')
    await page.getByRole('tab', { name: 'Operation' }).click()
    expect(new URL(page.url()).search).toBe('')
  })
  await site.visit('/setting?tab=nonsense', { storage }, async (page) => {
    await page.getByRole('tab', { name: 'Operation', selected: true }).waitFor()
  })
})

it('leads people who are no administrators to what is their own, and shows them no menu entry', async () => {
  await site.visit('/setting?tab=system', { storage: signedIn(reader) }, async (page) => {
    await page.waitForURL('**/personal')
    await expect.poll(() => page.getByRole('link', { name: 'System settings' }).count()).toBe(0)
    expect(site.inputs('settings.list')).toEqual([])
  })
  await site.visit('/setting', { storage }, async (page) => {
    await page.getByRole('link', { name: 'System settings' }).waitFor()
  })
})

it('lets an administrator look at what the super administrator alone changes, and change the rest', async () => {
  await site.visit(
    '/setting?tab=system&q=SMTPServer',
    { storage: signedIn({ ...root, id: 9, role: 10 }) },
    async (page) => {
      await row(page, 'SMTPServer').getByText('Only the super administrator may change this').waitFor()
      await navigate(page, at('system.smtp'))
      await page.getByText('Only the super administrator may change these settings.').waitFor()
      expect(await page.locator('.settings-page').getByRole('button').filter({ visible: true }).count()).toBe(0)
      await page.getByRole('searchbox').fill('SMTPServer')
      await expect.poll(() => row(page, 'SMTPServer').getByRole('textbox').isDisabled()).toBe(true)
      await page.getByRole('searchbox').fill('RetryTimes')
      await expect.poll(() => row(page, 'RetryTimes').locator('input').isDisabled()).toBe(false)
    },
  )
})

it('finds settings by words of either language, whichever is shown', async () => {
  await site.visit('/setting', { storage }, async (page) => {
    const search = page.getByRole('searchbox')
    await search.fill('屏蔽词列表')
    await row(page, 'SensitiveWords').waitFor()
    await search.fill('tls start')
    await row(page, 'SMTPSSLEnabled').waitFor()
    await search.fill('no such thing at all')
    await page.getByText('No setting matches').waitFor()
    await page.getByRole('button', { name: 'Clear the search' }).click()
    await page.getByRole('tab', { name: 'Operation' }).waitFor()
  })
})
