// The tab System: checkboxes that are saved immediately, domains, and the tests of mail, sign-in services and payment.
import { expect, it } from 'vitest'
import { root, signedIn } from './sample-data.ts'
import { settingRows } from './screens/settings.ts'
import { at, card, row, sentTo } from './settings-page.ts'
import { sayYes, useConsole } from './visit.ts'

const site = useConsole()
const storage = signedIn(root)
const sent = () => sentTo(site)

it('asks before password login is switched off; who cancels finds the checkbox as it was, and a yes can be undone', async () => {
  await site.visit(at('system.login'), { storage }, async (page) => {
    const box = row(page, 'PasswordLoginEnabled')
    await box.locator('.semi-checkbox').click()
    await page.getByRole('heading', { name: 'Disable password login?' }).waitFor()
    await page.getByText('This may affect how users sign in.').last().waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
    await expect.poll(() => box.getByRole('checkbox').isChecked()).toBe(true)
    expect(sent()).toEqual([])
    await box.locator('.semi-checkbox').click()
    await sayYes(page, 'Save')
    await page.getByText('update succeeded').waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect
      .poll(sent)
      .toEqual([
        [{ key: 'PasswordLoginEnabled', value: 'false', was: 'true' }],
        [{ key: 'PasswordLoginEnabled', value: 'true', was: 'false' }],
      ])
  })
})

it('says why a checkbox could not be saved, at the checkbox, which stays as it was', async () => {
  site.server.use({
    'settings.update': () => ({
      refuse: 'Fill in the GitHub settings before enabling it',
      field: 'GitHubOAuthEnabled',
    }),
  })
  await site.visit(at('system.login'), { storage }, async (page) => {
    await row(page, 'GitHubOAuthEnabled').locator('.semi-checkbox').click()
    await row(page, 'GitHubOAuthEnabled').getByText('Fill in the GitHub settings before enabling it').waitFor()
    await expect.poll(() => row(page, 'GitHubOAuthEnabled').getByRole('checkbox').isChecked()).toBe(false)
  })
})

it('takes domains one by one, refuses what is none and what is listed, and saves them as one list', async () => {
  const kept = 'gmail.com,163.com'
  site.server.use({
    'settings.list': () => ({
      data: settingRows().map((one) => {
        if (one.key === 'EmailDomainWhitelist') return { ...one, value: kept }
        return one.key === 'EmailDomainRestrictionEnabled' ? { ...one, value: 'true' } : one
      }),
    }),
  })
  await site.visit(at('system.email'), { storage }, async (page) => {
    const list = row(page, 'EmailDomainWhitelist')
    const type = async (domain: string) => {
      await list.getByLabel('New domain').fill(domain)
      await list.getByRole('button', { name: 'Add', exact: true }).click()
    }
    await type('no domain')
    await list.getByText('invalid domain, e.g. example.com').waitFor()
    await type('GMAIL.com')
    await list.getByText('the domain is already listed').waitFor()
    await type('weir.example')
    await page.getByText('added to the whitelist').waitFor()
    await list.getByRole('button', { name: 'Remove 163.com' }).click()
    await page.getByRole('button', { name: 'Save registration checks' }).click()
    await page.getByText('update succeeded').waitFor()
    expect(sent()).toEqual([[{ key: 'EmailDomainWhitelist', value: 'gmail.com,weir.example', was: kept }]])
  })
})

it('sends a test mail with what is saved, and says so where something is not', async () => {
  await site.visit(at('system.smtp'), { storage }, async (page) => {
    const mail = card(page, 'system.smtp')
    await expect.poll(() => mail.getByRole('button', { name: 'Send test mail' }).isDisabled()).toBe(true)
    await mail.getByLabel('Recipient of the test mail').fill('ada@example.com')
    await mail.getByLabel('Recipient of the test mail').press('Enter')
    await page.getByText('Test mail sent to ada@example.com').waitFor()
    expect(site.inputs('settings.testMail')).toEqual([{ email: 'ada@example.com' }])
    await row(page, 'SMTPPort').locator('input').fill('465')
    await mail.getByText('The test uses the saved settings: save your changes first.').waitFor()
    site.server.use({ 'settings.testMail': () => ({ refuse: 'The mail server accepts no mail for this address' }) })
    await mail.getByRole('button', { name: 'Send test mail' }).click()
    await page.getByText('The mail server accepts no mail for this address').waitFor()
  })
})

it('reads the OIDC document through the server: by its button, and when another address is saved', async () => {
  await site.visit(at('system.oidc'), { storage }, async (page) => {
    const oidc = card(page, 'system.oidc')
    await oidc.getByText('https://weir.example.com/oauth/oidc').first().waitFor()
    const address = row(page, 'oidc.well_known').locator('input')
    await address.fill('ftp://id.example.com')
    await page.getByRole('button', { name: 'Save OIDC' }).click()
    await row(page, 'oidc.well_known').getByText('OIDC well-known URL must start with http:// or https://').waitFor()
    await address.fill('https://id.example.com/doc')
    await oidc.getByRole('button', { name: 'Read endpoints' }).click()
    await page.getByText('OIDC configuration fetched').waitFor()
    await expect
      .poll(() => row(page, 'oidc.token_endpoint').locator('input').inputValue())
      .toBe('https://id.example.com/token')
    await page.getByRole('button', { name: 'Save OIDC' }).click()
    await page.getByText('update succeeded').waitFor()
    expect(Object.fromEntries(sent()[0]!.map(({ key, value }) => [key, value]))).toEqual({
      'oidc.well_known': 'https://id.example.com/doc',
      'oidc.authorization_endpoint': 'https://id.example.com/authorize',
      'oidc.token_endpoint': 'https://id.example.com/token',
      'oidc.user_info_endpoint': 'https://id.example.com/userinfo',
    })
    expect(site.inputs('settings.readWellKnown')).toHaveLength(2)
    const failed = 'failed to get OIDC config, check network and URL'
    site.server.use({ 'settings.readWellKnown': () => ({ refuse: failed }) })
    await address.fill('https://nowhere.example.com')
    await page.getByRole('button', { name: 'Save OIDC' }).click()
    await page.getByText(failed).first().waitFor()
    expect(sent()).toHaveLength(1)
  })
})

it('adds, changes and deletes further sign-in services, with the version that was read', async () => {
  await site.visit(at('system.oidc'), { storage }, async (page) => {
    const oidc = card(page, 'system.oidc')
    await oidc.getByText('https://weir.example.com/oauth/company').waitFor()
    await oidc.getByRole('button', { name: 'Edit' }).click()
    const panel = page.getByRole('dialog')
    await panel.getByLabel('Name', { exact: true }).last().fill('Our company')
    await panel.getByRole('button', { name: 'Save' }).click()
    await page.getByText('sign-in service saved').waitFor()
    expect(site.inputs('auth.providerUpdate')[0]).toMatchObject({
      id: 'company',
      name: 'Our company',
      client_secret: '',
      version: 1,
    })
    await oidc.getByRole('button', { name: 'Add service' }).click()
    await panel.getByLabel('ID', { exact: true }).last().fill('other')
    await panel.getByLabel('Name', { exact: true }).last().fill('Other')
    await panel.getByLabel('Well-known URL').last().fill('https://other.example.com/doc')
    await panel.getByLabel('Client ID').last().fill('weir')
    await panel.getByLabel('Client secret').last().fill('hidden')
    await page.keyboard.press('Control+Enter')
    await expect
      .poll(() => site.inputs('auth.providerCreate')[0])
      .toMatchObject({ id: 'other', client_secret: 'hidden', enabled: true })
    await panel.waitFor({ state: 'hidden' })
    await oidc.getByRole('button', { name: 'Delete' }).click()
    await sayYes(page, 'Delete')
    await page.getByText('sign-in service deleted').waitFor()
    expect(site.inputs('auth.providerDelete')).toEqual([{ provider_id: 'company' }])
  })
})

it('tries out whether a payment report proves true', async () => {
  await site.visit(at('system.epay'), { storage }, async (page) => {
    const panel = page.getByRole('dialog')
    await card(page, 'system.epay').getByRole('button', { name: 'Test a payment report' }).click()
    await expect.poll(() => panel.getByLabel('Signature').count()).toBe(0)
    await panel.getByLabel('Report').last().fill('pid=1&sign=2')
    await panel.getByRole('button', { name: 'Test', exact: true }).click()
    await page.getByText('The report is genuine: order USR2NO1, 7.30 cny').waitFor()
    site.server.use({ 'topups.verifyNotice': () => ({ refuse: 'This payment notice is not accepted' }) })
    await card(page, 'system.stripe').getByRole('button', { name: 'Test a payment report' }).click()
    await panel.getByLabel('Report').last().fill('{}')
    await panel.getByLabel('Signature').last().fill('t=1')
    await panel.getByRole('button', { name: 'Test', exact: true }).click()
    await page.getByText('This payment notice is not accepted').waitFor()
    expect(site.inputs('topups.verifyNotice')).toEqual([
      { service: 'epay', report: 'pid=1&sign=2', signature: '' },
      { service: 'stripe', report: '{}', signature: 't=1' },
    ])
  })
})
