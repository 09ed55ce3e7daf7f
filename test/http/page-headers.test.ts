// What the console's pages may take part in grows with the settings: tried in a browser, which holds them to it.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Page } from 'playwright-core'
import { foreignScripts } from '../../core/contract/foreign-scripts.ts'
import { openBrowser, type Browser } from '../support/browser.ts'
import { openTestGateway } from '../support/gateway.ts'

let browser: Browser
let weir: Awaited<ReturnType<typeof openTestGateway>>
beforeAll(async () => {
  ;[browser, weir] = await Promise.all([openBrowser(), openTestGateway()])
})
afterAll(async () => {
  await Promise.all([browser.close(), weir.close()])
})

/** Does a script of that address run on the page? One that is older than its policy loads itself anew meanwhile. */
async function runsScript(page: Page, url: string): Promise<boolean> {
  for (;;) {
    try {
      return await addScript(page, url)
    } catch (error) {
      if (!String(error).includes('Execution context was destroyed')) throw error
      await page.waitForTimeout(300)
    }
  }
}

const addScript = (page: Page, url: string) =>
  page.evaluate(
    (src) =>
      new Promise<boolean>((resolve) => {
        const script = Object.assign(document.createElement('script'), { src })
        script.addEventListener('load', () => resolve(true))
        script.addEventListener('error', () => resolve(false))
        document.head.append(script)
      }),
    url,
  )

/** Does a hidden form of the page reach that address? Where it does, the page is left. */
async function reachesForm(page: Page, url: string): Promise<boolean> {
  const refused = page.evaluate(
    (action) =>
      new Promise<boolean>((resolve) => {
        document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) =>
          resolve(effectiveDirective !== 'form-action'),
        )
        const form = Object.assign(document.createElement('form'), { action, method: 'post', hidden: true })
        document.body.append(form)
        form.submit()
      }),
    url,
  )
  const reached = page.waitForURL((at) => at.href.startsWith(url)).then(() => true)
  return Promise.race([refused.catch(() => reached), reached])
}

/** Opens the console's sign-in page; other sites are answered here. */
async function onPage<T>(act: (page: Page) => Promise<T>): Promise<T> {
  const { page, close } = await browser.open(`${weir.url}/login`)
  page.setDefaultTimeout(10_000)
  await page.route(/^https:\/\//, (route) =>
    route.request().resourceType() === 'script'
      ? route.fulfill({ contentType: 'text/javascript', body: '' })
      : route.fulfill({ contentType: 'text/html', body: '<p>elsewhere</p>' }),
  )
  try {
    return await act(page)
  } finally {
    await close()
  }
}

const scripts = [
  {
    what: 'the human check',
    url: foreignScripts.turnstile.address,
    settings: { TurnstileSiteKey: 'k', TurnstileSecretKey: 's', TurnstileCheckEnabled: 'true' },
  },
  {
    what: "Telegram's widget",
    url: foreignScripts.telegram.address,
    settings: { TelegramBotToken: 't', TelegramOAuthEnabled: 'true' },
  },
]
const forms = [
  {
    what: 'a payment form',
    url: 'https://pay.example/submit.php',
    settings: { PayAddress: 'https://pay.example/base', EpayId: '1', EpayKey: 'k' },
  },
  { what: "Stripe's page", url: 'https://checkout.stripe.com/c/pay/1', settings: { 'stripe.secret_key': 'sk_test_x' } },
]

it('has every script of others here', () => {
  expect(scripts.map(({ url }) => url).sort()).toEqual(
    Object.values(foreignScripts)
      .map(({ address }) => address)
      .sort(),
  )
})

describe.each([
  ...scripts.map((each) => ({ ...each, works: runsScript })),
  ...forms.map((each) => ({ ...each, works: reachesForm })),
])('$what', ({ url, settings, works }) => {
  it('works on the pages where it is set up, and nowhere else', async () => {
    expect(await onPage((page) => works(page, url))).toBe(false)
    await weir.set('ServerAddress', 'https://weir.example')
    const options = Object.entries(settings).map(([key, value]) => ({ key, value }))
    await weir.gateway.client.settings.update({ options })
    expect(await onPage((page) => works(page, url))).toBe(true)
    expect(await onPage((page) => works(page, 'https://elsewhere.example/x'))).toBe(false)
    await weir.gateway.client.settings.update({ options: options.map(({ key }) => ({ key, value: null })) })
    expect(await onPage((page) => works(page, url))).toBe(false)
  })
})

it('shows pictures, songs and films from wherever they lie safely, and from nowhere else', async () => {
  const isAllowed = (page: Page, tag: 'img' | 'audio' | 'video', src: string) =>
    page.evaluate(
      ({ tag, src }) =>
        new Promise<boolean>((resolve) => {
          const media = Object.assign(document.createElement(tag), { src })
          document.addEventListener('securitypolicyviolation', () => resolve(false), { once: true })
          // What is let through fails later: nothing of its kind lies there.
          media.addEventListener('error', () => setTimeout(() => resolve(true), 50))
          document.body.append(media)
        }),
      { tag, src },
    )
  for (const tag of ['img', 'audio', 'video'] as const) {
    expect(await onPage((page) => isAllowed(page, tag, 'https://cdn.example/1'))).toBe(true)
    expect(await onPage((page) => isAllowed(page, tag, 'http://cdn.example/1'))).toBe(false)
  }
})
