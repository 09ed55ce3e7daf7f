// The scripts of others that the console loads, as the tests answer them.
import type { Page } from 'playwright-core'

/** As Turnstile's: `window.solve(token)` and `window.break()` are what happens in its frame. */
export const TURNSTILE = `{
  const widgets = {}
  window.turnstile = {
    render(box, options) {
      const id = 'w' + (Object.keys(widgets).length + 1)
      widgets[id] = options
      box.textContent = 'Turnstile ' + options.sitekey + ' ' + options.theme + ' ' + options.language
      box.dataset.resets = 0
      window.solve = (token) => options.callback(token)
      window.break = () => options['error-callback']('300030')
      window.resetsOf = () => Number(box.dataset.resets)
      widgets[id].box = box
      return id
    },
    reset(id) { widgets[id].box.dataset.resets = Number(widgets[id].box.dataset.resets) + 1 },
    remove(id) { widgets[id].box.textContent = '' },
  }
}`

/** As Telegram's: a button in place of the script's element, that sends the browser to \`data-auth-url\` with what is signed. */
export const TELEGRAM = `{
  const script = document.querySelector('script[data-telegram-login]')
  const button = document.createElement('button')
  button.textContent = 'Log in as ' + script.dataset.telegramLogin
  button.onclick = () => {
    location.href = script.dataset.authUrl + '&id=42&first_name=Ada&auth_date=1700000000&hash=ab12'
  }
  script.after(button)
}`

/** What others answer with; null is a network that does not let it through. */
export async function answersOf(page: Page, scripts: Record<string, string | null>): Promise<string[]> {
  const asked: string[] = []
  await page.route(/^https:/, (route) => {
    const url = route.request().url()
    asked.push(url)
    const body = scripts[new URL(url).host] ?? null
    return body === null ? route.abort() : route.fulfill({ contentType: 'text/javascript', body })
  })
  return asked
}
