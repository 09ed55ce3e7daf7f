// A small page with a user's usage, for a frame in another page: without scripts, external resources or controls.
import { fillTemplate, words, type Language } from '../errors.ts'
import { formatDollars, formatShortNumber, type QuotaDisplay } from '../pricing/display.ts'
import { escapeHtmlText } from '../contract/html.ts'

export interface UsageWidget {
  /** Oldest first. Quota units. */
  days: readonly { date: string; calls: number; quota: number }[]
  /** Name of the account, or of the whole site. */
  title: string
  money: QuotaDisplay
  language: Language
  /** Without it as the reader's system has it. */
  theme: 'light' | 'dark' | undefined
}

const texts = {
  today: words('Today'),
  span: words('Last {n} days'),
  call: words('1 call'),
  calls: words('{n} calls'),
  chart: words('Spent each day'),
}

const WIDTH = 300
const HEIGHT = 64

export function usageWidget({ days, title, money, language, theme }: UsageWidget): string {
  const amount = (quota: number) =>
    money.display_in_currency ? formatDollars(quota / money.quota_per_unit) : formatShortNumber(quota)
  const number = new Intl.NumberFormat(language === 'zh' ? 'zh-CN' : 'en-US')
  const sumDays = (some: UsageWidget['days']) => ({
    quota: some.reduce((whole, { quota }) => whole + quota, 0),
    calls: some.reduce((whole, { calls }) => whole + calls, 0),
  })
  const figure = (label: string, { quota, calls }: { quota: number; calls: number }) =>
    `<div><dt>${label}</dt><dd>${amount(quota)}</dd><dd class="calls">${fillTemplate(calls === 1 ? texts.call : texts.calls, { n: number.format(calls) })[language]}</dd></div>`
  const most = Math.max(1, ...days.map(({ quota }) => quota))
  const width = WIDTH / Math.max(1, days.length)
  const bars = days.map(({ date, quota }, at) => {
    const height = quota === 0 ? 0 : Math.max(1, (quota / most) * HEIGHT)
    const place = `x="${round(at * width)}" y="${round(HEIGHT - height)}" width="${round(width * 0.8)}" height="${round(height)}"`
    return `<rect ${place}><title>${date}: ${amount(quota)}</title></rect>`
  })
  return buildPage({
    title,
    language,
    theme,
    body: `<dl>${figure(texts.today[language], sumDays(days.slice(-1)))}${figure(fillTemplate(texts.span, { n: days.length })[language], sumDays(days))}</dl>
<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label="${texts.chart[language]}">${bars.join('')}</svg>`,
  })
}

/** The same page with a sentence in place of figures. */
export const refusedWidget = ({ title, sentence, ...more }: Omit<WidgetPage, 'body'> & { sentence: string }): string =>
  buildPage({ title, body: `<p>${escapeHtmlText(sentence)}</p>`, ...more })

interface WidgetPage {
  title: string
  language: Language
  theme: 'light' | 'dark' | undefined
  body: string
}

const round = (value: number) => Math.round(value * 100) / 100

const LIGHT = '--ground:#fff;--text:#1c1f23;--quiet:#5c6770;--bar:#0b7285;color-scheme:light'
const DARK = '--ground:#16161a;--text:#f2f3f5;--quiet:#a3adb5;--bar:#46bccf;color-scheme:dark'

const buildPage = ({ title, language, theme, body }: WidgetPage): string => `<!doctype html>
<html lang="${language === 'zh' ? 'zh-CN' : 'en'}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escapeHtmlText(title)}</title>
<style>
:root{${theme === 'dark' ? DARK : LIGHT}}
${theme ? '' : `@media (prefers-color-scheme: dark){:root{${DARK}}}`}
body{margin:0;padding:12px 14px;background:var(--ground);color:var(--text);font:14px/1.4 system-ui,sans-serif}
h1{margin:0 0 8px;font-size:14px}
dl{display:flex;flex-wrap:wrap;gap:8px 28px;margin:0 0 10px}
dt,.calls{color:var(--quiet);font-size:12px}
dd{margin:0;font-size:18px;font-variant-numeric:tabular-nums}
dd.calls{font-size:12px}
svg{display:block;width:100%;height:${HEIGHT}px}
rect{fill:var(--bar)}
</style>
<h1>${escapeHtmlText(title)}</h1>
${body}
</html>
`
