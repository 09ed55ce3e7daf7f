// The screen settings, for the walk, the pictures and axe, and the settings of the small site.
import type { Page } from 'playwright-core'
import type { Card } from '../../../core/settings/cards.data.ts'
import { declaredSettings } from '../../../core/settings/index.ts'
import type { Setting } from '../../../core/settings/setting.ts'
import type { Handlers } from '../fake-server.ts'
import { NOW } from '../samples.ts'
import { at } from '../settings-page.ts'
import { admins, press, said, screenFacts } from '../screen-facts.ts'

/** What the clean-up of the log would take. */
const outdated = [
  { kind: 'calls', before: 1, rows: 1200, oldest: 0, newest: 0 },
  { kind: 'errors', before: 1, rows: 30, oldest: 0, newest: 0 },
  { kind: 'events', before: 1, rows: 4, oldest: 0, newest: 0 },
] as const
const all = Object.entries(declaredSettings as Record<string, Setting<unknown>>)

/** What the small site has in place of defaults. */
const STORED: Record<string, string> = {
  ServerAddress: 'https://weir.example.com',
  SMTPServer: 'mail.example.com',
  Notice: '# Hello\n\nA **notice**',
  Chats: '[{"Lobe": "https://lobe.example.com/?key={key}&url={address}"}]',
  'oidc.client_id': 'weir',
  QuotaForNewUser: '500000',
}
const SECRETS = ['SMTPToken', 'EpayKey']

export const storedText = (key: string): string => {
  const { value } = declaredSettings[key as keyof typeof declaredSettings] as Setting<unknown>
  return STORED[key] ?? value.encode(value.default)
}

export const settingRows = () =>
  all.map(([key, { secret }]) =>
    secret ? { key, value: '', set: SECRETS.includes(key) } : { key, value: storedText(key) },
  )

const service = {
  ...{ id: 'company', name: 'Company', well_known: 'https://id.example.com/.well-known/openid-configuration' },
  ...{ client_id: 'weir', scopes: 'openid profile email', enabled: true, version: 1 },
}

const audited = {
  ...{ id: 1, created_at: NOW - 3600, user_id: 1, username: 'root', via: 'session', ip: '10.0.0.1', request_id: 'r' },
  ...{ action: 'setting.change', target: 'ServerAddress', before: '', after: 'https://weir.example.com' },
}

const handlers = (): Handlers => ({
  'settings.list': () => ({ data: settingRows() }),
  'settings.update': () => ({ data: null, beside: { message: '' } }),
  'settings.testMail': () => ({ data: null }),
  'settings.readWellKnown': () => ({
    data: {
      authorization_endpoint: 'https://id.example.com/authorize',
      token_endpoint: 'https://id.example.com/token',
      userinfo_endpoint: 'https://id.example.com/userinfo',
    },
  }),
  'audit.list': () => ({ data: { items: [audited], total: 1, page: 1, page_size: 100, next_cursor: '' } }),
  'groups.table': () => ({
    data: [
      { name: 'default', ratio: 1, description: 'Default group', special: {}, users: 12, tokens: 30, channels: 4 },
      { name: 'vip', ratio: 1, description: 'VIP group', special: {}, users: 2, tokens: 3, channels: 1 },
      { name: 'svip', ratio: 1, description: null, special: {}, users: 0, tokens: 0, channels: 0 },
    ],
  }),
  'groups.remove': ({ name }) => ({ data: { name: String(name), ratio: 1, description: null } }),
  'auth.providerList': () => ({ data: [service] }),
  'auth.providerCreate': (input) => ({ data: { ...service, ...input } }),
  'auth.providerUpdate': () => ({ data: null }),
  'auth.providerDelete': () => ({ data: null }),
  'logs.cleanUpProgress': () => ({
    data: { running: false, target_timestamp: 0, removed: 0, total: 0, older: 0, kinds: outdated },
  }),
  'logs.cleanUp': () => ({ data: 1234, beside: { running: false } }),
  'site.release': () => ({ data: { current: '0.1.0', tag_name: 'v9.0.0', body: '## News\n\nBetter', newer: true } }),
  'topups.verifyNotice': () => ({ data: { trade_no: 'USR2NO1', money: '7.30', currency: 'cny' } }),
})

const changed = async (page: Page) => {
  await page.locator('[data-settings=RetryTimes] input').fill('7')
  await page.locator('[data-settings=DisplayInCurrencyEnabled] [role=switch]').click()
}

/** Goes to the page of a card. */
const cardPage = (page: Page, card: Card) => page.goto(new URL(at(card), page.url()).href)

/** Says it in the dialog that asks: what its last button says, or that. */
async function yes(page: Page, said?: string) {
  const dialog = page.getByRole('dialog').last()
  await (said ? dialog.getByRole('button', { name: said, exact: true }) : dialog.locator('.dialog-foot button'))
    .last()
    .click()
}

export const facts = screenFacts({
  walked: {
    path: '/setting',
    for: admins,
    shows: { name: /RetryTimes/, number: /\d/ },
    acts: {
      'change and save a setting': async (page) => {
        await page.locator('[data-settings=RetryTimes] input').fill('3')
        await page.getByRole('button', { name: 'Save general' }).click()
        await page.getByText('saved', { exact: true }).first().waitFor()
      },
      'remove a group that nobody has': async (page) => {
        await cardPage(page, 'operation.groups')
        const removing = page.getByRole('button', { name: /^Remove team-of-customers-/ })
        await removing.last().click()
        await yes(page)
        await page
          .getByText(/^group .+ removed$/)
          .first()
          .waitFor()
      },
      'ask whether a payment report is genuine': async (page) => {
        await cardPage(page, 'system.epay')
        const test = page.getByRole('button', { name: 'Test a payment report' }).first()
        if ((await test.count()) === 0 || !(await test.isEnabled())) return
        await test.click()
        await page.getByRole('dialog').getByLabel('Report').last().fill('pid=1&sign=2')
        await yes(page, 'Test')
        await page.getByRole('alert').first().waitFor()
      },
      'send a test mail': async (page) => {
        await cardPage(page, 'system.smtp')
        const recipient = page.getByLabel('Recipient of the test mail').last()
        if ((await recipient.count()) === 0 || !(await recipient.isEnabled())) return
        await recipient.fill('ada@example.com')
        await recipient.press('Enter')
        await page.getByRole('alert').first().waitFor()
      },
    },
    unasked: {
      'auth.providerUpdate': 'no further service is there; tested in settings-system.long.test.ts',
      'auth.providerDelete': 'no further service is there; tested in settings-system.long.test.ts',
      'settings.readWellKnown': 'there is no identity provider to read from; tested in settings-system.long.test.ts',
    },
  },
  states: {
    'operation settings': { path: '/setting' },
    'groups and quota': { path: at('operation.groups') },
    'model prices in settings': { path: at('operation.prices') },
    'rate limit settings': { path: '/setting?tab=ratelimit' },
    'model settings': { path: '/setting?tab=models' },
    'system settings': { path: '/setting?tab=system' },
    'mail settings': { path: at('system.smtp') },
    'other settings': {
      path: '/setting?tab=other',
      open: async (page) => {
        await page
          .getByRole('button', { name: said('Preview') })
          .first()
          .click()
      },
    },
    'found settings': { path: '/setting?q=quota' },
    'unsaved settings': { path: '/setting', open: changed },
    'what settings would become': {
      path: '/setting',
      open: async (page) => {
        await changed(page)
        await page.getByRole('link', { name: said('Monitoring') }).click()
        await press(page, 'Review')
      },
    },
    'a new sign-in service': { path: at('system.oidc'), open: (page) => press(page, 'Add service') },
  },
  handlers,
})
