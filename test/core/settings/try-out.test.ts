// The tests that operators run from the settings: the mail server, the discovery document, the keys of payment
// services.
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Caller } from '../../../core/auth/caller.ts'
import { signEpayFields } from '../../../core/topups/notices.ts'
import { testSecrets } from '../../support/databases.ts'
import { openMemoryGateway, type MemoryGateway } from '../gateway.ts'

let gateway: MemoryGateway
let root: Caller
const ask = (name: string, input: Record<string, unknown>) => gateway.ask(root, name, input)
const refusal = (name: string, input: Record<string, unknown>) => gateway.refusal(root, name, input)
const set = (settings: Record<string, string>) =>
  ask('settings.update', { options: Object.entries(settings).map(([key, value]) => ({ key, value })) })

beforeAll(async () => {
  gateway = await openMemoryGateway()
  root = await gateway.as('root')
  await set({ ServerAddress: 'https://weir.example' })
})
afterAll(() => gateway.close())

test('a test mail goes out as the mail server is set', async () => {
  const email = 'ada@example.com'
  expect(await refusal('settings.testMail', { email })).toBe('mail.none')
  await set({ SMTPServer: 'mail.example', SMTPAccount: 'weir@weir.example' })
  expect(await refusal('settings.testMail', { email: 'nobody' })).toBe('email.invalid')
  await ask('settings.testMail', { email })
  expect(gateway.mailer.mails).toMatchObject([
    { to: [email], from: { name: 'Weir', address: 'weir@weir.example' }, subject: 'Weir test mail' },
  ])
})

test('the endpoints are read from a discovery document', async () => {
  const endpoints = {
    authorization_endpoint: 'https://id.example/authorize',
    token_endpoint: 'https://id.example/token',
    userinfo_endpoint: 'https://id.example/me',
  }
  expect(await refusal('settings.readWellKnown', {})).toBe('setting.well_known')
  expect(await refusal('settings.readWellKnown', { well_known: 'ftp://id.example' })).toBe('setting.well_known')
  const well_known = 'https://id.example/.well-known/openid-configuration'
  expect(await refusal('settings.readWellKnown', { well_known })).toBe('setting.discovery')
  gateway.web.answer(() => ({ body: { ...endpoints, issuer: 'https://id.example' } }))
  expect(await ask('settings.readWellKnown', { well_known })).toEqual(endpoints)
  await set({ 'oidc.well_known': well_known })
  expect(await ask('settings.readWellKnown', {})).toEqual(endpoints)
  gateway.web.answer(() => ({ body: { issuer: 'https://id.example' } }))
  expect(await refusal('settings.readWellKnown', {})).toBe('setting.discovery')
})

test('a report of a payment service is proven, and credits nothing', async () => {
  const key = 'an epay key'
  const fields = { pid: '1001', out_trade_no: 'USR2NO1', trade_no: 'E1', money: '7.30', trade_status: 'TRADE_SUCCESS' }
  const sign = signEpayFields(fields, key, testSecrets)
  const report = new URLSearchParams({ ...fields, sign, sign_type: 'MD5' }).toString()
  const epay = { service: 'epay', report }
  expect(await refusal('topups.verifyNotice', epay)).toBe('topup.unset')
  await set({ PayAddress: 'https://pay.example', EpayId: '1001', EpayKey: key })
  const paid = { trade_no: 'USR2NO1', money: '7.30', currency: 'cny' }
  expect(await ask('topups.verifyNotice', epay)).toEqual(paid)
  expect(await ask('topups.verifyNotice', { ...epay, report: `/api/user/epay/notify?${report}` })).toEqual(paid)
  expect(await refusal('topups.verifyNotice', { ...epay, report: report.replace('7.30', '7.31') })).toBe('topup.notice')

  await set({ 'stripe.secret_key': 'sk_test', 'stripe.webhook_secret': 'whsec_test' })
  const body = JSON.stringify({ type: 'payment_intent.created', data: {} })
  const time = Math.floor(gateway.clock.now() / 1000)
  const signature = `t=${time},v1=${testSecrets.hmac('whsec_test', `${time}.${body}`)}`
  const stripe = { service: 'stripe', report: body, signature }
  expect(await ask('topups.verifyNotice', stripe)).toEqual({ trade_no: null, money: '0.00', currency: 'usd' })
  expect(await refusal('topups.verifyNotice', { ...stripe, report: `${body} ` })).toBe('topup.notice')
  expect((await gateway.storage.topups.list({}, { offset: 0, limit: 10 })).total).toBe(0)
})
