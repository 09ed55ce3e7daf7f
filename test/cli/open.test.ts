// `weir open`: the console's pages, in a browser or as an address.
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { findBrowserCommand } from '../../cli/browser.ts'
import { CONSOLE_PAGES } from '../../cli/commands/open.ts'
import { startTestServer, type TestServer } from '../support/server.ts'
import { runHere } from '../support/terminal.ts'

let server: TestServer
let room: string
beforeAll(async () => {
  server = await startTestServer()
  room = await mkdtemp(path.join(tmpdir(), 'weir-open-'))
})
afterAll(async () => {
  await server.close()
  await rm(room, { recursive: true })
})

it('has a name for every page of the console, as its route begins', () => {
  const folder = new URL('../../console/screens/', import.meta.url)
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('screen.ts'))
  const routes = files.flatMap((file) => {
    const [, path] = /^ {2}path: \[?'(\/[^']*)'/m.exec(readFileSync(new URL(file, folder), 'utf8')) ?? []
    return path === undefined ? [] : [path.split('/')[1] || 'home']
  })
  // Nobody opens what sign-in services lead back to, or what only leads on.
  const opened = new Set(routes.filter((route) => route !== 'oauth' && route !== 'chat2link'))
  expect([...CONSOLE_PAGES].sort()).toEqual([...opened].sort())
})

it('prints the address in a pipe, as JSON and where there is no browser; a page that is none is wrong usage', async () => {
  const env = { WEIR_DATA: server.config.data }
  expect(await runHere(['open'], { env })).toMatchObject({ code: 0, stdout: `${server.url}/\n`, stderr: '' })
  expect((await runHere(['open', 'log'], { env, tty: true })).stdout).toBe(`${server.url}/log\n`)
  const json = JSON.parse((await runHere(['open', 'token', '--json'], { env, tty: true })).stdout) as object
  expect(json).toEqual({ url: `${server.url}/token`, page: 'token', opened: false })
  expect(await runHere(['open', 'nowhere'], { env })).toMatchObject({ code: 2, stdout: '' })
})

it('opens it on a terminal with a screen, and prints the address where the opener fails', async () => {
  const seen = path.join(room, 'seen')
  const opener = path.join(room, path.basename(findBrowserCommand({ DISPLAY: ':0' })?.[0] ?? ''))
  const script = async (end: number) => {
    await writeFile(opener, `#!/bin/sh\necho "$1" > ${seen}\nexit ${end}\n`)
    await chmod(opener, 0o755)
  }
  const env = { WEIR_DATA: server.config.data, PATH: room, DISPLAY: ':0' }
  const open = async () => (await runHere(['open', 'channel'], { env, tty: true })).stdout
  await script(0)
  expect(await open()).toBe(`Opened ${server.url}/channel\n`)
  expect(await readFile(seen, 'utf8')).toBe(`${server.url}/channel\n`)
  await script(3)
  expect(await open()).toBe(`${server.url}/channel\n`)
})

it('knows the opener of each system, and none over ssh or without a screen', () => {
  expect(findBrowserCommand({}, 'darwin')).toEqual(['open'])
  expect(findBrowserCommand({}, 'win32')?.[0]).toBe('rundll32')
  expect(findBrowserCommand({ WAYLAND_DISPLAY: 'w' }, 'linux')).toEqual(['xdg-open'])
  expect(findBrowserCommand({}, 'linux')).toBeUndefined()
  for (const platform of ['darwin', 'win32', 'linux'] as const)
    expect(findBrowserCommand({ DISPLAY: ':0', SSH_CONNECTION: '1' }, platform)).toBeUndefined()
})
