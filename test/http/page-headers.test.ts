// The security headers of the console's pages depend on the settings: tested in a browser, which enforces them.
import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { foreignScriptOrigins } from '../../core/contract/frames.ts'
import { browserOfWorker, type Browser } from '../support/browser.ts'
import { describeWithGateway } from '../support/gateway.ts'

/** Does a script of that address run on the page? */
const runsScript = (page: Page, url: string): Promise<boolean> =>
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
        document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) => {
          if (effectiveDirective === 'form-action') resolve(false)
        })
        const form = Object.assign(document.createElement('form'), { action, method: 'post', hidden: true })
        document.body.append(form)
        form.submit()
      }),
    url,
  )
  const reached = page.waitForURL((at) => at.href.startsWith(url)).then(() => true)
  return Promise.race([refused.catch(() => reached), reached])
}

const scripts = [
  {
    what: 'the human check',
    url: foreignScriptOrigins.turnstile.address,
    settings: { TurnstileSiteKey: 'k', TurnstileSecretKey: 's', TurnstileCheckEnabled: 'true' },
  },
  {
    what: "Telegram's widget",
    url: foreignScriptOrigins.telegram.address,
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

const parts = [
  ...scripts.map((each) => ({ ...each, works: runsScript })),
  ...forms.map((each) => ({ ...each, works: reachesForm })),
]

it('has every script of others here', () => {
  expect(scripts.map(({ url }) => url).sort()).toEqual(
    Object.values(foreignScriptOrigins)
      .map(({ address }) => address)
      .sort(),
  )
})

describeWithGateway('a page of the console', (weir) => {
  let browser: Browser
  beforeAll(async () => {
    browser = await browserOfWorker()
  })

  /** Opens the sign-in page with the headers of now and without the console's own code; other sites are answered here. */
  async function onPage<T>(act: (page: Page) => Promise<T>): Promise<T> {
    const { page, close } = await browser.open(`${weir.url}/api/status`)
    page.setDefaultTimeout(10_000)
    await page.route(/\/assets\//, (route) => route.abort())
    await page.route(/^https:\/\//, (route) =>
      route.request().resourceType() === 'script'
        ? route.fulfill({ contentType: 'text/javascript', body: '' })
        : route.fulfill({ contentType: 'text/html', body: '<p>elsewhere</p>' }),
    )
    await page.goto(`${weir.url}/login`)
    try {
      return await act(page)
    } finally {
      await close()
    }
  }

  /** The parts that work on one page; those that work leave it, so they are tried last. */
  const listWorking = (url?: string) =>
    onPage(async (page) => {
      const working: string[] = []
      for (const part of [...parts].sort((a, b) => Number(a.url === url) - Number(b.url === url)))
        if (await part.works(page, part.url)) working.push(part.what)
      return working
    })

  it('lets what was set up take part, and nothing else', async () => {
    await weir.set('ServerAddress', 'https://weir.example')
    expect(await listWorking()).toEqual([])
    for (const { what, url, settings, works } of parts) {
      const options = Object.entries(settings).map(([key, value]) => ({ key, value }))
      await weir.gateway.client.settings.update({ options })
      expect(await listWorking(url)).toEqual([what])
      expect(await onPage((page) => works(page, 'https://elsewhere.example/x')), what).toBe(false)
      await weir.gateway.client.settings.update({ options: options.map(({ key }) => ({ key, value: null })) })
    }
    expect(await listWorking()).toEqual([])
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
    await onPage(async (page) => {
      for (const tag of ['img', 'audio', 'video'] as const) {
        expect(await isAllowed(page, tag, 'https://cdn.example/1'), tag).toBe(true)
        expect(await isAllowed(page, tag, 'http://cdn.example/1'), tag).toBe(false)
      }
    })
  })
})
