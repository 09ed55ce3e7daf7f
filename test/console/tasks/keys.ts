// Tasks with API tokens.
import { callWith } from './calls.ts'
import { task } from './task.ts'
import { dialog, entry, found, goTo, inDialog, more, must, onlyRow, searchByMouse, throughPalette } from './ways.ts'

export const limitKey = task({
  title: 'Give a customer a limited key',
  prepare: async (_ground, way) => `customer by ${way}`,
  async mouse(hand, name) {
    const { page } = hand
    await goTo(hand, 'API tokens')
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

export const revokeKey = task({
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
    await goTo(hand, 'API tokens')
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
    let status = 200
    for (let tries = 0; tries < 20 && status === 200; tries += 1) {
      ;({ status } = await callWith(url, key, 'hello'))
      if (status === 200) await page.waitForTimeout(100)
    }
    must(status === 401, `a call with it was answered with ${status}`)
    must(await message.isVisible(), 'it could not be taken back any more')
    const { data } = await root.tokens.search({ keyword: name })
    must(data.length === 1, 'it was deleted before its time')
  },
})
