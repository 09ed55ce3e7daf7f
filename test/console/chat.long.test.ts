// Chats of other sites in a frame, the page that leads to the first of them, and the page of a key.
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { fillChatLink, parseSavedChats, getSite, wantsUserKey } from '../../core/contract/chat-links.ts'
import { listed, root, signedIn, status, token } from './sample-data.ts'
import { logEntry } from './sample-log.ts'
import { runUntil, stopClock, useConsole } from './visit.ts'

const site = useConsole()
const storage = signedIn(root)
/** A browser says so of every such frame; one of another site cannot. */
const expected = /can escape its sandboxing/

/** Of another origin than the console, and nothing runs there. */
const foreign = () => site.server.url.replace('127.0.0.1', 'localhost')
const key = (id: number) => `sk-${token(id).key}`
const chats = (...saved: Record<string, string>[]) =>
  site.server.use({
    'site.status': () => ({ data: { ...status, chats: saved, server_address: 'https://weir.test/x' } }),
  })

describe('links of saved chats', () => {
  it('are filled with the key, and with the address encoded', () => {
    const chat = { name: 'A', template: 'https://a.test/#/?settings={"key":"{key}","url":"{address}"}' }
    expect(fillChatLink(chat, { key: 'sk-1', address: 'https://weir.test/x' })).toBe(
      'https://a.test/#/?settings={"key":"sk-1","url":"https%3A%2F%2Fweir.test%2Fx"}',
    )
    expect([wantsUserKey(chat), wantsUserKey({ name: 'B', template: 'https://b.test' })]).toEqual([true, false])
  })

  it('are read in their order, or not at all where they are damaged', () => {
    expect(
      parseSavedChats([{ a: 'https://a.test', b: 'b://x' }, { c: 'https://c.test' }])?.map(({ name }) => name),
    ).toEqual(['a', 'b', 'c'])
    expect([parseSavedChats('text'), parseSavedChats([{ a: 1 }]), parseSavedChats([null])]).toEqual([
      undefined,
      undefined,
      undefined,
    ])
    expect(parseSavedChats([])).toEqual([])
  })

  it.each([
    ['https://a.test/{key}', 'https://a.test'],
    ['http://lan:3000/#/{address}', 'http://lan:3000'],
    ['opencat://team/join?token={key}', undefined],
    ['https://{key}/x', undefined],
  ])('%s is a page of %s', (template, origin) => expect(getSite(template)).toBe(origin))
})

/** The first is off; which of the others is the first is told by its place alone. */
const several = () =>
  site.server.use({ 'tokens.list': () => listed([token(8, { status: 2 }), token(3), token(5), token(4)]) })

it('frames a chat with the first enabled token and the address, and says who gets the key', async () => {
  several()
  chats({ Picture: `${foreign()}/weir.svg?key={key}&url={address}` }, { App: 'opencat://join?token={key}' })
  await site.visit('/chat/0', { storage, expected }, async (page) => {
    const frame = page.locator('iframe')
    await frame.waitFor()
    await expect
      .poll(() => frame.getAttribute('src'))
      .toBe(`${foreign()}/weir.svg?key=${key(3)}&url=https%3A%2F%2Fweir.test%2Fx`)
    expect(site.inputs('tokens.list')).toEqual([{ p: '0', size: '100' }])
    expect((await frame.getAttribute('sandbox'))?.split(' ')).toContain('allow-same-origin')
    expect(await frame.getAttribute('sandbox')).not.toContain('allow-top-navigation')
    await expect.poll(() => frame.getAttribute('allow')).toMatch(/camera.*microphone/)
    await page.getByText(/^localhost:\d+ is another site: it gets the key of this token/).waitFor()
    await expect.poll(() => page.locator('.side').count()).toBe(0)

    await page.getByRole('combobox', { name: 'Chat' }).selectOption('App')
    await page.getByText('App is a program on your machine').waitFor()
    await expect.poll(() => frame.count()).toBe(0)
    await expect
      .poll(() => page.getByRole('link', { name: 'Open App' }).getAttribute('href'))
      .toBe(`opencat://join?token=${key(3)}`)
  })
})

it('does not give a page of our own the rights of our own', async () => {
  chats({ Own: `${site.server.url}/weir.svg?key={key}` })
  await site.visit('/chat/0', { storage }, async (page) => {
    await page.locator('iframe').waitFor()
    expect(await page.locator('iframe').getAttribute('sandbox')).not.toContain('allow-same-origin')
  })
})

it('remembers the token and the chat', async () => {
  chats({ One: `${foreign()}/weir.svg?one={key}` }, { Two: `${foreign()}/weir.svg?two={key}` })
  const both = () => listed([token(5, { name: 'first' }), token(4, { name: 'second' }), token(2, { status: 2 })])
  site.server.use({ 'tokens.list': both })
  await site.visit('/chat', { storage, expected }, async (page) => {
    const frame = page.locator('iframe')
    await frame.waitFor()
    await expect.poll(() => frame.getAttribute('src')).toContain(`one=${key(5)}`)
    const tokens = page.getByRole('combobox', { name: 'Token' })
    await expect.poll(() => tokens.locator('option').allInnerTexts()).toEqual(['first', 'second'])
    await tokens.selectOption('second')
    await expect.poll(() => frame.getAttribute('src')).toContain(`one=${key(4)}`)
    await page.getByRole('combobox', { name: 'Chat' }).selectOption('Two')
    await page.goto(`${site.server.url}/chat`)
    await expect.poll(() => frame.getAttribute('src')).toContain(`two=${key(4)}`)
  })
})

it('says where there is no token, and goes to where one is made', async () => {
  chats({ One: 'https://a.test/{key}' })
  site.server.use({ 'tokens.list': () => listed([token(2, { status: 2 })]) })
  for (const path of ['/chat/0', '/chat2link', '/keys/7'])
    await site.visit(path, { storage, alone: true }, async (page) => {
      await stopClock(page)
      await runUntil(page, () => page.getByText('no enabled token, check that one is enabled').isVisible())
      const pathname = () => new URL(page.url()).pathname
      await page.clock.runFor(1000)
      expect(pathname()).toBe(path)
      await page.clock.runFor(500)
      await expect.poll(pathname).toBe('/token')
    })
})

it('says where no chat is saved, where there is no such one, and who has to sign in', async () => {
  await site.visit('/chat', { storage }, async (page) => {
    await page.getByText('Please contact the administrator to configure chat links').waitFor()
    await expect
      .poll(() => page.getByRole('link', { name: 'Chat in the playground' }).getAttribute('href'))
      .toBe('/playground')
  })
  chats({ One: `${foreign()}/weir.svg?{key}` }, { Open: `${foreign()}/weir.svg` })
  await site.visit('/chat/9', { storage }, (page) =>
    page.getByText('Chat link configuration error, contact the administrator').waitFor(),
  )
  await site.visit('/chat/0', {}, async (page) => {
    await page.getByText('Sign in to chat here').waitFor()
    expect(site.inputs('tokens.list')).toEqual([])
    await page.locator('main').getByRole('link', { name: 'Login' }).click()
    await page.waitForURL('**/login')
  })
  await site.visit('/chat/1', { expected }, (page) => page.locator('iframe').waitFor())
})

it('leads on to the first chat', async () => {
  several()
  chats({ First: `${foreign()}/weir.svg?key={key}&url={address}` }, { Second: 'https://b.test' })
  await site.visit('/chat2link', { storage }, async (page) => {
    await page.waitForURL(/localhost:\d+\/weir\.svg\?key=/)
    expect(page.url()).toContain(`key=${key(3)}&url=https%3A%2F%2Fweir.test%2Fx`)
  })
  chats()
  await site.visit('/chat2link', { storage }, (page) =>
    page.getByText('Please contact the administrator to configure chat links').waitFor(),
  )
})

it('says that it is jumping while there is no key yet', async () => {
  chats({ First: `${foreign()}/weir.svg?key={key}` })
  for (const [language, said] of [
    ['en', 'jumping'],
    ['zh', '正在跳转'],
  ] as const)
    await site.visit('/about', { storage, language }, async (page) => {
      let go = () => undefined as void
      const held = new Promise<void>((resolve) => (go = resolve))
      await page.route('**/api/token/**', async (route) => {
        await held
        await route.continue()
      })
      await page.goto(`${site.server.url}/chat2link`)
      await page.getByRole('status').getByText(said, { exact: true }).waitFor()
      go()
      await page.waitForURL(/weir\.svg/)
    })
})

it('has for each client what it reads, to copy and to download, and a call to try it with', async () => {
  site.server.use({ relay: () => ({ data: { choices: [{ message: { content: 'Hello' } }] } }) })
  site.server.use({
    'logs.streamSelf': () => ({
      events: [logEntry(1, { token_id: 3, other: JSON.stringify({ frt: 312 }) }), logEntry(2, { token_id: 4 })],
    }),
  })
  await site.visit('/keys/3', { storage }, async (page) => {
    await page.locator('.connect-key').getByText(key(3)).waitFor()
    // It was used before: its latest call is there, and nothing waits for a first one.
    const latest = page.getByRole('region', { name: 'Latest call' })
    await latest.getByText('Answered in 312 ms', { exact: false }).waitFor()
    await expect.poll(() => page.getByText('Waiting for').count()).toBe(0)
    const save = async (client: string, where: string) => {
      await page.getByRole('radio', { name: client, exact: true }).check({ force: true })
      await page.getByRole('combobox', { name: 'Language or shell' }).selectOption(where)
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: `Download snippet for ${client}` }).click(),
      ])
      return [file.suggestedFilename(), readFileSync(await file.path(), 'utf8')] as const
    }
    const [name, settings] = await save('Claude Code', '~/.claude/settings.json')
    expect(name).toBe('settings.json')
    expect(JSON.parse(settings)).toMatchObject({ env: { ANTHROPIC_AUTH_TOKEN: key(3) } })
    const [, toml] = await save('Codex', '~/.codex/config.toml')
    expect(toml).toMatch(/^# export WEIR_API_KEY=sk-[\s\S]*\nmodel_providers\.weir\.base_url="http.*\/v1"/m)
    const [, opencode] = await save('opencode', '~/.config/opencode/opencode.json')
    expect(JSON.parse(opencode)).toMatchObject({ provider: { weir: { options: { apiKey: key(3) } } } })
    expect((await save('Gemini CLI', '~/.gemini/.env'))[1]).toContain(`GEMINI_API_KEY=${key(3)}`)

    await latest.getByRole('button', { name: 'Send another' }).click()
    await page.getByText(/Answered in/).waitFor()
  })
  await site.visit('/keys/999', { storage }, (page) =>
    page.getByText('This token does not exist or is not enabled').waitFor(),
  )
})
