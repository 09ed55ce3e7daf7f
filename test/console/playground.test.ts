// The playground: requests, answers and their display, several models at once, and stored conversations.
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { logEntry, reader, root, signedIn } from './sample-data.ts'
import { chunks, say, send } from './screens/playground.ts'
import { useConsole } from './visit.ts'

const site = useConsole()
const storage = signedIn(root)
const open = { storage, alone: true }

const sent = () => site.inputs('playground')
const last = (page: Page) => page.locator('.answer').last()
const answers = (...texts: string[]) => ({ events: chunks(texts), ends: true })

it('begins with a greeting, and sends what the specification says', async () => {
  site.server.use({ playground: () => answers('Good ', 'day') })
  await site.visit('/playground', open, async (page) => {
    await expect.poll(() => page.locator('.asked').innerText()).toContain('Hello')
    await expect.poll(() => last(page).innerText()).toContain('Hello, how can I help you?')
    await expect.poll(() => page.getByRole('combobox', { name: 'Model' }).inputValue()).toBe('gpt-4o-mini')
    await expect.poll(() => page.getByRole('combobox', { name: 'Group' }).inputValue()).toBe('default')
    const model = page.getByRole('group', { name: 'Model' })
    await expect.poll(() => model.locator('.combo > img').getAttribute('src')).toMatch(/#openai$/)
    const slider = page.getByRole('slider', { name: 'Temperature' })
    await expect
      .poll(() => slider.evaluate(({ min, max, step }: HTMLInputElement) => [min, max, step]))
      .toEqual(['0.1', '1', '0.1'])
    await say(page, 'And you?')
    await expect.poll(() => last(page).innerText()).toContain('Good day')
    await expect.poll(() => last(page).locator('header > img').getAttribute('src')).toMatch(/#openai$/)
    const greeting = [
      { role: 'system', content: 'You are a helpful assistant.' },
      { role: 'user', content: 'Hello' },
      { role: 'assistant', content: 'Hello, how can I help you?' },
      { role: 'user', content: 'And you?' },
    ]
    expect(sent()[0]).toEqual({
      ...{ messages: greeting, stream: true, stream_options: { include_usage: true } },
      ...{ model: 'gpt-4o-mini', group: 'default', max_tokens: 0, temperature: 0 },
    })
    expect(site.server.asked.find(({ name }) => name === 'playground')?.headers['new-api-user']).toBe('1')

    await slider.fill('0.3')
    await page.getByRole('spinbutton', { name: 'Max tokens' }).fill('50')
    await page.getByRole('textbox', { name: 'System prompt' }).fill('  ')
    await page.getByRole('combobox', { name: 'Group' }).click()
    await page.getByRole('option', { name: /vip/ }).click()
    await page.getByRole('button', { name: 'Clear context' }).click()
    await page.getByText('No messages yet').waitFor()
    await say(page, 'Anew')
    expect(sent()[1]).toMatchObject({
      ...{ messages: [{ role: 'user', content: 'Anew' }], group: 'vip', max_tokens: 50, temperature: 0.3 },
    })
  })
})

it('is led to by who compares, with a second model to be chosen at once', async () => {
  site.server.use({ 'users.models': () => ({ data: ['gpt-4o-mini', 'gpt-5', 'o3'] }) })
  await site.visit('/token', open, async (page) => {
    await page.getByRole('link', { name: 'Usage log' }).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog').getByRole('combobox').fill('against')
    await page.getByRole('option', { name: 'Try a model against another' }).waitFor()
    await page.keyboard.press('Enter')
    const second = page.getByRole('combobox', { name: 'Model 2' })
    await expect.poll(() => second.evaluate((one) => one === document.activeElement)).toBe(true)
    await page.keyboard.type('o3')
    await page.getByRole('option', { name: 'o3' }).waitFor()
    await page.keyboard.press('Enter')
    await send(page, 'Who is quicker?')
    // Both are asked at once, so that either may arrive first.
    await expect
      .poll(() =>
        sent()
          .map(({ model }) => model)
          .sort(),
      )
      .toEqual(['gpt-4o-mini', 'o3'])
  })
})

it('takes the first model where gpt-4o-mini is not there, the own group first, and says where there is none', async () => {
  site.server.use({ 'users.models': () => ({ data: ['text-embedding-3-small', 'gpt-5', 'gpt-4o'] }) })
  await site.visit('/playground', { storage: signedIn(reader), alone: true }, async (page) => {
    await page.waitForFunction(() => document.querySelectorAll<HTMLInputElement>('.combo input')[1]?.value === 'gpt-5')
    await expect.poll(() => page.getByRole('combobox', { name: 'Group' }).inputValue()).toBe('vip')
  })
  site.server.use({ 'users.models': () => ({ data: [] }), 'groups.usable': () => ({ data: {} }) })
  await site.visit('/playground', open, async (page) => {
    await page.getByText('No model can be called').waitFor()
    await expect.poll(() => page.getByRole('combobox', { name: 'Group' }).inputValue()).toBe('User group')
    await page.getByRole('textbox', { name: 'Message' }).fill('Hello')
    await expect.poll(() => page.getByRole('button', { name: 'Send' }).isDisabled()).toBe(true)
  })
})

it('finds a model by a part of its name', async () => {
  await site.visit('/playground', open, async (page) => {
    const model = page.getByRole('combobox', { name: 'Model' })
    await model.click()
    await model.fill('seek')
    await expect.poll(() => page.getByRole('option').allInnerTexts()).toEqual(['deepseek-chat'])
    await page.keyboard.press('Enter')
    await expect.poll(() => model.inputValue()).toBe('deepseek-chat')
  })
})

it('shows Markdown without running or fetching anything, thoughts, tools, tokens, times and cost', async () => {
  const tool = { index: 0, function: { name: 'weather', arguments: '{"city":"Li' } }
  site.server.use({
    playground: () => ({
      events: [
        { choices: [{ delta: { reasoning_content: 'I think ' } }] },
        { choices: [{ delta: { reasoning_content: 'so.' } }] },
        ...chunks([
          '# Title\n\n<img src=x onerror="window.bad=1"><script>window.bad=1</script>\n\n',
          '![chart](https://elsewhere.test/chart.png)\n\n[run](javascript:window.bad=1)\n\n```js\nconst a = 1\n```\n',
        ]),
        { choices: [{ delta: { tool_calls: [tool] } }] },
        { choices: [{ delta: { tool_calls: [{ index: 0, function: { arguments: 'nz"}' } }] } }] },
        { choices: [{ delta: { images: [{ image_url: { url: DOT } }] } }] },
      ],
      ends: true,
    }),
    'logs.listSelf': () => ({
      data: { items: [logEntry(7, { quota: 2500 })], total: 1, page: 1, page_size: 1, total_capped: false },
    }),
  })
  await site.visit('/playground', open, async (page) => {
    const fetched: string[] = []
    page.on('request', (request) => fetched.push(request.url()))
    await say(page, 'Show me')
    const answer = last(page)
    await answer.getByRole('heading', { name: 'Title' }).waitFor()
    await expect.poll(() => answer.locator('.hljs-keyword').innerText()).toBe('const')
    await expect.poll(() => answer.locator('script, [onerror], a[href^="javascript"]').count()).toBe(0)
    await expect.poll(() => page.evaluate(() => (window as { bad?: number }).bad)).toBeUndefined()
    expect(fetched.filter((url) => url.includes('elsewhere.test'))).toEqual([])
    await answer.getByRole('button', { name: 'Show the picture from elsewhere.test' }).waitFor()
    await expect.poll(() => answer.locator('.answer-picture img').getAttribute('src')).toBe(DOT)

    const thoughts = answer.getByText('I think so.')
    await expect.poll(() => thoughts.isVisible()).toBe(false)
    await answer.getByText('Reasoning').click()
    await expect.poll(() => thoughts.isVisible()).toBe(true)
    await expect.poll(() => answer.getByText('Calls the tool weather').isVisible()).toBe(true)
    await expect
      .poll(() => answer.getByRole('region', { name: 'arguments of weather' }).innerText())
      .toContain('"city": "Linz"')

    const measures = await answer.locator('.answer-measures').innerText()
    expect(measures).toMatch(/24 in, 60 out[\s\S]*first token \d+ ms[\s\S]*\d+ ms in total[\s\S]*\$0\.005/)
    const request = `request-${site.server.asked.findIndex(({ name }) => name === 'playground') + 1}`
    expect(site.inputs('logs.listSelf')).toEqual([{ request_id: request, p: '1', page_size: '1' }])
    await expect.poll(() => answer.getByRole('link', { name: /See this call/ }).getAttribute('href')).toContain(request)
  })
})

const DOT =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='

it('stops an answer, answers again, and sends an edited message in place of the first', async () => {
  site.server.use({ playground: () => ({ events: chunks(['as far as']).slice(0, 1) }) })
  await site.visit('/playground', open, async (page) => {
    await page.getByRole('textbox', { name: 'Message' }).fill('A long story')
    await page.getByRole('button', { name: 'Send' }).click()
    await last(page).getByText('as far as').waitFor()
    await expect.poll(() => last(page).getAttribute('class')).toContain('answer-incomplete')
    await page.getByRole('button', { name: 'Stop' }).click()
    await last(page).getByText('Stopped').waitFor()
    await expect.poll(() => last(page).getAttribute('class')).toContain('answer-complete')

    site.server.use({ playground: () => answers('another one') })
    await page.getByRole('button', { name: 'Answer again: gpt-4o-mini' }).click()
    await last(page).getByText('another one').waitFor()
    expect(sent()[1]).toEqual(sent()[0])
    await expect.poll(() => page.locator('.turn').count()).toBe(2)

    await page.getByRole('button', { name: 'Edit message' }).click()
    await page.getByRole('textbox', { name: 'Edit message' }).fill('A short story')
    await page.keyboard.press('Control+Enter')
    await expect.poll(() => sent().length).toBe(3)
    expect((sent()[2]!['messages'] as unknown[]).at(-1)).toEqual({ role: 'user', content: 'A short story' })
    await expect.poll(() => page.locator('.turn').count()).toBe(2)
    await page.getByRole('button', { name: 'Copy answer of gpt-4o-mini' }).click()
    await page.getByText('copied: gpt-4o-mini').waitFor()
  })
})

it('says in its place what went wrong, and with a 429 how long to wait', async () => {
  site.server.use({
    playground: () => ({ refuse: 'too many calls of this group', status: 429, beside: { retry_after: 2 } }),
  })
  await site.visit('/playground', { ...open, expected: /429/ }, async (page) => {
    await send(page, 'Hello')
    await last(page).getByText('too many calls of this group').waitFor()
    await expect.poll(() => last(page).getAttribute('class')).toContain('answer-error')
    const retry = last(page).getByRole('button', { name: /Retry in 2 s/ })
    await expect.poll(() => retry.isDisabled()).toBe(true)

    site.server.use({
      playground: () => ({
        events: [...chunks(['half ']).slice(0, 1), { error: { message: 'the provider broke off' } }],
        ends: true,
      }),
    })
    await last(page).getByRole('button', { name: 'Retry', exact: true }).click()
    await last(page).getByText('the provider broke off').waitFor()
    await expect.poll(() => last(page).innerText()).toMatch(/half[\s\S]*the provider broke off/)

    site.server.use({ playground: () => answers('at last') })
    await last(page).getByRole('button', { name: 'Retry', exact: true }).click()
    await last(page).getByText('at last').waitFor()
    await expect.poll(() => page.getByText('the provider broke off').count()).toBe(0)
  })
})

it('asks up to four models on one prompt, each with its own thread', async () => {
  site.server.use({ playground: ({ model }) => answers(`I am ${String(model)}`) })
  await site.visit('/playground', open, async (page) => {
    const compare = page.getByRole('button', { name: 'Add another model' })
    for (let more = 0; more < 3; more += 1) await compare.click()
    await expect.poll(() => compare.count()).toBe(0)
    await page.getByRole('button', { name: 'Remove model 4' }).click()
    await page.getByRole('button', { name: 'Remove model 3' }).click()
    await say(page, 'Who are you?')
    const said = page.locator('.turn').last().locator('.answer')
    expect((await said.allInnerTexts()).map((text) => /I am \S+/.exec(text)?.[0])).toEqual([
      'I am gpt-4o-mini',
      'I am gpt-4o',
    ])
    await say(page, 'Really?')
    const heard = sent()
      .slice(2)
      .map(({ model, messages }) => [model, (messages as { content: string }[]).at(-2)?.content])
    expect(heard.sort()).toEqual([
      ['gpt-4o', 'I am gpt-4o'],
      ['gpt-4o-mini', 'I am gpt-4o-mini'],
    ])
  })
})

it('sends pictures that are chosen, and refuses what is none', async () => {
  site.server.use({ playground: () => answers('a dot') })
  await site.visit('/playground', open, async (page) => {
    const dot = { name: 'dot.png', mimeType: 'image/png', buffer: Buffer.from(DOT.split(',')[1]!, 'base64') }
    await page.locator('input[type=file]').setInputFiles([dot, { ...dot, name: 'notes.txt', mimeType: 'text/plain' }])
    await page.getByText('notes.txt is not a picture').waitFor()
    await page.getByRole('img', { name: 'Picture 1' }).waitFor()
    await say(page, 'What is it?')
    expect((sent()[0]!['messages'] as unknown[]).at(-1)).toEqual({
      role: 'user',
      content: [
        { type: 'text', text: 'What is it?' },
        { type: 'image_url', image_url: { url: DOT } },
      ],
    })
    await expect.poll(() => page.locator('.asked img').getAttribute('src')).toBe(DOT)
  })
})
