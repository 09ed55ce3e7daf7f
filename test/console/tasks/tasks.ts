// Six things that operators do most, each by mouse and by keyboard alone.
import type { Locator, Page } from 'playwright-core'
import { PEOPLE } from '../walk/seed.ts'
import type { Hand } from './hand.ts'
import { task, type AnyTask, type Ground } from './task.ts'

const SANDBOX = 1000

const dialog = (page: Page) => page.getByRole('dialog').last()
const inDialog = (page: Page, name: string) => dialog(page).getByRole('button', { name, exact: true })
const menuLink = (page: Page, name: string) => page.getByRole('navigation').getByRole('link', { name, exact: true })
const entry = (page: Page, name: string) => page.getByRole('menuitem', { name, exact: true })
const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })
const more = (page: Page, name: string) => page.getByRole('button', { name: `More for ${name}`, exact: true })

/** Opens the palette, takes an act of it, and with it what it is about. */
async function throughPalette(hand: Hand, typed: string, wanted: Locator): Promise<void> {
  await hand.press('Control+k')
  await dialog(hand.page).getByRole('combobox').waitFor()
  await hand.type(typed)
  await hand.downTo(wanted)
  await hand.press('Enter')
}

const found = (page: Page, text: string) => dialog(page).getByRole('option').filter({ hasText: text }).first()

async function actOn(hand: Hand, typed: string, act: string, name: string): Promise<void> {
  await throughPalette(hand, typed, found(hand.page, act))
  await hand.type(name)
  await found(hand.page, name).waitFor()
  await hand.press('Enter')
}

/** To the one row that a search of the list leaves. */
async function searchByMouse(hand: Hand, label: string, name: string): Promise<void> {
  await hand.click(hand.page.getByLabel(label))
  await hand.type(name)
  await hand.press('Enter')
  await onlyRow(hand.page, name)
}

/** Until the list has what was searched, and nothing else. */
async function onlyRow(page: Page, name: string): Promise<void> {
  await rowOf(page, name).waitFor()
  await page.waitForFunction(() => document.querySelectorAll('main table.rows > tbody > tr:first-child').length === 1)
}

const callWith = (url: string, key: string, content: string) =>
  fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'sandbox-small', messages: [{ role: 'user', content }] }),
  })

/** A call of the user's; gives its request id once the log has it. */
async function called({ url, key, root }: Ground, content: string): Promise<string> {
  const answer = await callWith(url, key, content)
  await answer.text()
  const request_id = answer.headers.get('x-oneapi-request-id') ?? ''
  for (let tries = 0; tries < 50; tries += 1) {
    const known = await root.logs.explain({ request_id }).catch(() => undefined)
    if (known?.log) return request_id
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`the log has no call ${request_id}`)
}

const must = (holds: boolean, what: string) => {
  if (!holds) throw new Error(what)
}

const addChannel = task({
  title: 'Add a channel and see it answer',
  prepare: async (_ground, way) => `new by ${way}`,
  async mouse(hand, name) {
    const { page } = hand
    await hand.click(menuLink(page, 'Channels'))
    await hand.click(page.getByRole('button', { name: 'Add channel' }))
    await hand.click(dialog(page).getByRole('combobox').first())
    await hand.type('sandbox')
    await hand.click(dialog(page).getByRole('listbox').getByRole('option').first())
    await hand.click(dialog(page).getByRole('textbox', { name: 'Name', exact: true }))
    await hand.type(name)
    await hand.click(inDialog(page, 'Create channel'))
    await hand.click(rowOf(page, name).getByRole('button', { name: 'Test', exact: true }))
  },
  async keyboard(hand, name) {
    const { page } = hand
    await hand.press('g')
    await hand.press('c')
    await page.getByRole('button', { name: 'Add channel' }).waitFor()
    await hand.press('n')
    await dialog(page).getByRole('combobox').first().waitFor()
    await hand.type('sandbox')
    await hand.press('Enter')
    await hand.tabTo(dialog(page).getByRole('textbox', { name: 'Name', exact: true }))
    await hand.type(name)
    await hand.press('Control+Enter')
    await rowOf(page, name).waitFor()
    await actOn(hand, 'test a', 'Test a channel', name)
  },
  async reached(page, name, { root }) {
    await page
      .locator('.toast')
      .filter({ hasText: `channel ${name} passed` })
      .waitFor()
    await rowOf(page, name)
      .getByText(/\d\s?ms|\d\s?s$/)
      .first()
      .waitFor()
    const [channel] = await root.channels.search({ keyword: name })
    must(channel?.type === SANDBOX, 'it is no sandbox')
    must((channel?.test_time ?? 0) > 0, 'the channel was not tested')
  },
})

const explainFailure = task({
  title: 'Find why a call failed, from its request id',
  prepare: (ground) => called(ground, 'no [[status=400]]'),
  async mouse(hand, request_id) {
    await hand.click(hand.page.getByRole('button', { name: 'Find or do' }))
    await dialog(hand.page).getByRole('combobox').waitFor()
    await hand.paste(request_id)
    await hand.click(found(hand.page, 'sandbox-small'))
  },
  async keyboard(hand, request_id) {
    await hand.press('Control+k')
    await dialog(hand.page).getByRole('combobox').waitFor()
    await hand.paste(request_id)
    await found(hand.page, 'sandbox-small').waitFor()
    await hand.press('Enter')
  },
  async reached(page, request_id, { root }) {
    const { log } = await root.logs.explain({ request_id })
    const panel = page.getByRole('dialog', { name: 'Call: sandbox-small' })
    await panel.getByText('400 ·').first().waitFor()
    must(!!log?.content, 'the log has no reason')
    await panel.getByText(log!.content, { exact: true }).first().waitFor()
  },
})

const explainBill = task({
  title: 'Why a user paid what a call cost',
  prepare: (ground) => called(ground, 'hello'),
  async mouse(hand) {
    const { page } = hand
    await hand.click(menuLink(page, 'Usage log'))
    await hand.click(page.getByRole('button', { name: 'Add filter' }))
    await hand.click(entry(page, 'Username'))
    await hand.type(PEOPLE.user)
    await hand.click(inDialog(page, 'Apply'))
    await page.waitForURL(/username=/)
    await hand.click(more(page, 'sandbox-small').first())
    await hand.click(entry(page, 'Open'))
  },
  async keyboard(hand) {
    const { page } = hand
    await actOn(hand, 'log of a user', 'Open the log of a user', PEOPLE.user)
    await page.waitForURL(/username=/)
    await rowOf(page, 'sandbox-small').first().waitFor()
    await hand.press('j')
    await hand.press('.')
    await hand.downTo(entry(page, 'Open'))
    await hand.press('Enter')
  },
  async reached(page, request_id, { root }) {
    const { entry: ledger } = await root.logs.explain({ request_id })
    must(ledger !== undefined, 'the ledger has no entry')
    const panel = page.getByRole('dialog', { name: 'Call: sandbox-small' })
    for (const text of ['Billing process', 'Balance before', 'Balance after', request_id])
      await panel.getByText(text, { exact: true }).first().waitFor()
  },
})

const limitKey = task({
  title: 'Give a customer a limited key',
  prepare: async (_ground, way) => `customer by ${way}`,
  async mouse(hand, name) {
    const { page } = hand
    await hand.click(menuLink(page, 'API tokens'))
    await hand.click(page.getByRole('button', { name: 'Create token' }).first())
    // Its first field has the focus.
    await dialog(page).getByRole('textbox', { name: 'Name', exact: true }).waitFor()
    await hand.type(name)
    await hand.click(inDialog(page, '1 month'))
    await hand.click(inDialog(page, '$10'))
    await hand.click(dialog(page).getByRole('switch').first())
    await hand.click(dialog(page).getByPlaceholder('The models this token may call'))
    await hand.click(page.getByRole('option', { name: 'sandbox-small' }))
    await hand.click(inDialog(page, 'Create'))
  },
  async keyboard(hand, name) {
    const { page } = hand
    await throughPalette(hand, 'create t', found(page, 'Create token'))
    await dialog(page).getByRole('textbox', { name: 'Name', exact: true }).waitFor()
    await hand.type(name)
    await hand.tabTo(inDialog(page, '1 month'))
    await hand.press('Enter')
    await hand.tabTo(inDialog(page, '$10'))
    await hand.press('Enter')
    await hand.tabTo(dialog(page).getByRole('switch').first())
    await hand.press('Space')
    await hand.tabTo(dialog(page).getByPlaceholder('The models this token may call'))
    await hand.type('sandbox-s')
    await hand.press('Enter')
    await hand.press('Control+Enter')
  },
  async reached(page, name, { root }) {
    await page
      .getByRole('dialog')
      .getByText(/^sk-\w{20,}/)
      .first()
      .waitFor()
    const { data } = await root.tokens.search({ keyword: name })
    const made = data.find((each) => each.name === name)
    must(made?.model_limits_enabled === true && made.model_limits === 'sandbox-small', 'its models are not limited')
    must(made?.unlimited_quota === false && made.remain_quota === 5_000_000, 'its quota is not limited')
    must((made?.expired_time ?? 0) > Date.now() / 1000, 'it does not expire')
  },
})

const disableProvider = task({
  title: 'Disable a provider safely',
  async prepare({ root }, way) {
    const name = `alone by ${way}`
    await root.channels.create({ type: SANDBOX, name, key: '', models: `only-${way}`, group: 'default' })
    return { name, model: `only-${way}` }
  },
  async mouse(hand, { name, model }) {
    const { page } = hand
    await hand.click(menuLink(page, 'Channels'))
    await searchByMouse(hand, 'Keyword', name)
    await hand.click(more(page, name))
    await hand.click(entry(page, 'Disable'))
    await named(page, model)
    await hand.click(inDialog(page, 'Disable'))
  },
  async keyboard(hand, { name, model }) {
    const { page } = hand
    await actOn(hand, 'disable a', 'Disable a channel', name)
    await named(page, model)
    await hand.press('Enter')
  },
  async reached(page, { name }, { root }) {
    await page
      .locator('.toast')
      .filter({ hasText: `${name} disabled` })
      .waitFor()
    const [channel] = await root.channels.search({ keyword: name })
    must(channel?.status === 2, 'it is not off')
  },
})

/** What would be lost is said before it is. */
const named = (page: Page, model: string) =>
  dialog(page).getByText(`1 model loses its only channel in the group default: ${model}.`).waitFor()

const revokeKey = task({
  title: 'Revoke a lost key',
  async prepare({ root, url }, way) {
    const name = `lost by ${way}`
    const { key } = await root.tokens.create({ name, unlimited_quota: true })
    const before = await callWith(url, `sk-${key}`, 'hello')
    must(before.status === 200, `the key did not work before: ${before.status}`)
    return { name, key: `sk-${key}` }
  },
  async mouse(hand, { name }) {
    const { page } = hand
    await hand.click(menuLink(page, 'API tokens'))
    await searchByMouse(hand, 'Keyword', name)
    await hand.click(more(page, name))
    await hand.click(entry(page, 'Delete'))
    await hand.click(inDialog(page, 'Delete'))
  },
  async keyboard(hand, { name }) {
    const { page } = hand
    await throughPalette(hand, name, found(page, name))
    await page.waitForURL(/keyword=/)
    await onlyRow(page, name)
    await hand.press('j')
    await hand.press('.')
    await hand.downTo(entry(page, 'Delete'))
    await hand.press('Enter')
    await inDialog(page, 'Delete').waitFor()
    await hand.press('Enter')
  },
  async reached(page, { name, key }, { url, root }) {
    const message = page.locator('.toast').filter({ hasText: `Deleting ${name}` })
    await message.waitFor()
    // It is switched off with the message, a moment after it.
    await page.waitForTimeout(300)
    const { status } = await callWith(url, key, 'hello')
    must(status === 401, `a call with it was answered with ${status}`)
    must(await message.isVisible(), 'it could not be taken back any more')
    const { data } = await root.tokens.search({ keyword: name })
    must(data.length === 1, 'it was deleted before its time')
  },
})

export const TASKS: AnyTask[] = [addChannel, explainFailure, explainBill, limitKey, disableProvider, revokeKey]
